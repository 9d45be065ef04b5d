// For those who want to see inside: bytes on the wires, the newest of the journal, the phase in the state diagram.
import { button, html, set, write } from "./make.js";

const MOST_WIRE = 200, MOST_ENTRIES = 40, SOON_MS = 400, MOST_WORDS = 160;

export class Wire {
  constructor(table) {
    this.table = table;
    this.hidden = new Set();
    this.out = html("ol", { class: "wire", tabindex: "0", "aria-label": "What goes over the wires, the newest first" });
    this.devices = html("div", { class: "row", role: "group", "aria-label": "Devices" });
    this.body = html("div", { class: "tab-body" }, this.devices, this.out);
    this.known = new Set();
  }

  open() { this.table.do("wires", { on: true }); }

  close() { this.table.do("wires", { on: false }); }

  meet(device) {
    if (this.known.has(device)) return;
    this.known.add(device);
    const element = button(device, () => {
      const shown = this.hidden.delete(device) || (this.hidden.add(device), false);
      set(element, "aria-pressed", shown);
    }, { "aria-pressed": "true" });
    this.devices.append(element);
  }

  update(part) {
    if (!part.wire) return;
    const rows = [];
    for (const row of part.wire) {
      this.meet(row.device);
      if (this.hidden.has(row.device)) continue;
      rows.unshift(html("li", {}, html("strong", {}, `${row.device} ${row.way === "to" ? "◂" : "▸"} `),
        `${row.words.length > MOST_WORDS ? `${row.words.slice(0, MOST_WORDS)}…` : row.words} `, html("code", {}, row.hex || `${row.bytes} bytes, not shown`)));
    }
    this.out.prepend(...rows);
    while (this.out.children.length > MOST_WIRE) this.out.lastChild.remove();
  }
}

// The newest entries, asked of the console whenever there are more and somebody looks.
export class Journal {
  constructor(table, ask) {
    this.table = table;
    this.ask = ask;
    this.out = html("pre", { class: "out tall", tabindex: "0", "aria-label": "The newest entries of the journal" });
    this.body = html("div", { class: "tab-body" }, this.out);
    this.isOpen = false;
  }

  open() { this.isOpen = true; this.look(); }

  close() { this.isOpen = false; }

  look() {
    this.waits = 0;
    this.lines = [];
    this.ask(["events", String(MOST_ENTRIES)], (said) => this.hear(said));
  }

  hear(said) {
    if (said.text) this.lines.push(said.text);
    if (said.end || said.refused) write(this.out, this.lines.join("\n"));
    if (said.end) this.out.scrollTop = this.out.scrollHeight;
  }

  update(part) {
    if (part.told && this.isOpen && !this.waits) this.waits = setTimeout(() => this.look(), SOON_MS);
  }
}

export class Phase {
  constructor(table) {
    this.table = table;
    this.words = html("p", { "aria-live": "polite" });
    this.place = html("div", { class: "life", tabindex: "0", role: "img", "aria-label": "The states of the table" });
    this.body = html("div", { class: "tab-body" }, this.words, this.place);
  }

  async open() {
    const text = await (await fetch("life.svg")).text();
    // Its own style would be refused here; the page has one for it.
    const drawn = new DOMParser().parseFromString(text.replace(/<style>[^]*?<\/style>/, ""), "image/svg+xml").documentElement;
    this.place.replaceChildren(document.importNode(drawn, true));
    this.marked = null;
    this.mark();
  }

  update(part) { if (part.told?.view || part.layout) this.mark(); }

  mark() {
    const view = this.table.told?.view;
    if (!view) return;
    const phase = String(view.phase).replaceAll("_", " ");
    const held = view.held.filter((each) => each.holds_now).map((each) => each.why);
    write(this.words, held.length ? `${phase}, held: ${held.join("; ")}` : phase);
    set(this.place, "aria-label", `The states of the table; now ${phase}`);
    if (this.body.hidden) return;
    const title = [...this.place.querySelectorAll("text[font-weight]")].find((each) => each.textContent === phase);
    if (this.marked) this.marked.classList.remove("now");
    this.marked = title?.previousElementSibling || null;
    if (!this.marked) return;
    this.marked.classList.add("now");
    this.marked.scrollIntoView?.({ block: "nearest", inline: "nearest" });
  }
}
