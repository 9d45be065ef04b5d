"""How an evidence page looks: dark ink on white, room to read, the same on paper."""

STYLE = """
:root { --ink: #16181d; --quiet: #667; --rule: #d5d8de; --red: #b3122a; --green: #14532d; }
* { box-sizing: border-box; }
body { font: 15px/1.45 Georgia, 'Times New Roman', serif; color: var(--ink); max-width: 60rem;
  margin: 2.5rem auto; padding: 0 1.5rem; }
header { border-top: 6px solid var(--green); padding-top: .8rem; }
header p { margin: 0; color: var(--quiet); letter-spacing: .08em; text-transform: uppercase; font-size:
.75rem; } h1 { margin: .1rem 0 .8rem; font-size: 2.1rem; font-weight: 600; }
h2 { font-size: 1.15rem; border-bottom: 1px solid var(--rule); padding-bottom: .25rem; margin-top: 2.2rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: .6rem 0; }
dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: normal; color: var(--quiet); font-size: .85rem; }
th, td { padding: .22rem .7rem .22rem 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
.seat td:nth-child(-n+4):not(:first-child), .seat th:nth-child(-n+4):not(:first-child) { text-align: right; }
small { color: var(--quiet); } code { font: .85em ui-monospace, Menlo, Consolas, monospace; }
.card { display: inline-block; border: 1px solid var(--rule); border-radius: .3rem; padding: .1rem .4rem;
  margin-right: .15rem; font-size: 1.1rem; background: #fff; }
.red { color: var(--red); } .hand { margin: .5rem 0 .2rem; } .hand b { display: inline-block; min-width: 6rem;
} .seat { margin: 1.1rem 0; break-inside: avoid; } .felt { border-left: 4px solid var(--green); padding-left:
.9rem; } .fate { border: 2px solid var(--red); color: var(--red); padding: .4rem .8rem; font-weight: 600; }
.timeline td { font-size: .88rem; } ul { padding-left: 1.2rem; }
@media print { body { margin: 0; max-width: none; font-size: 10.5pt; padding: 0; }
  tr { break-inside: avoid; } h2 { break-after: avoid; } @page { margin: 18mm 16mm; } }
"""
