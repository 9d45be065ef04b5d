"use strict";
// The page of the pit: one stream of events, written into text nodes alone. Nothing is sent.
const at = (id) => document.getElementById(id);
const dollars = (cents) => (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });
const words = (text) => String(text).replaceAll("_", " ");
const since = (s) => s < 60 ? `${s} s` : s < 3600 ? `${Math.floor(s / 60)} min` : `${Math.floor(s / 3600)} h ${Math.floor(s / 60) % 60} min`;
const SOON_S = 900;
const items = new Map();
let pit = { tables: [], links: [], hits: [] };

function make(name, text = "", kind = "") {
  const found = document.createElement(name);
  found.textContent = text;
  if (kind) found.className = kind;
  return found;
}

function put(parent, ...children) { parent.replaceChildren(...children); }

function reasons(table) {
  if (table.silent_s === null) return ["never heard"];
  const found = table.held.map(([, device, why, role, s]) => `${device}: ${why}, ${role}, since ${since(s)}`);
  if (table.silent_s) found.unshift(`not heard for ${since(table.silent_s)}`);
  for (const [link, why] of table.links) if (why) found.push(`link ${link}: ${why}`);
  for (const [name, up, why] of table.devices) if (!up) found.push(`${name}: ${why || "down"}`);
  return found;
}

function waits(table) {
  if (table.silent_s === null) return [];
  const hits = table.waits.map(([seat, wager, why]) => `hit of seat ${seat}, ${words(wager)}: ${why}`);
  return [...table.called.map(([role, why]) => `${role}: ${why}`), ...hits];
}

function due(table) {
  return (table.decks || []).filter((deck) => deck[2] <= SOON_S)
    .map(([name, lot, s]) => `deck ${name.toUpperCase()} (${lot}) ${s ? `due in ${since(s)}` : "due for change"}`);
}

function line(table) {
  if (table.silent_s === null) return "no word yet";
  const open = table.seats - table.taken.length;
  return `${words(table.phase)}, ${table.dealer ? `dealer ${table.dealer}` : "no dealer"}, ${open} of ${table.seats} seats open`;
}

function wanted(table) {
  const text = at("find").value.trim().toLowerCase();
  const all = `${table.table} ${line(table)} ${reasons(table).join(" ")}`.toLowerCase();
  const held = reasons(table).length + waits(table).length + due(table).length;
  return all.includes(text) && (!at("trouble").checked || held > 0);
}

function card(table) {
  let item = items.get(table.table);
  if (!item) {
    item = { li: make("li"), a: make("a"), shown: "" };
    item.a.href = `#${encodeURIComponent(table.table)}`;
    item.li.append(item.a);
    items.set(table.table, item);
  }
  const why = reasons(table), wait = waits(table), soon = due(table);
  const sign = JSON.stringify([line(table), why, wait, soon, table.meters]);
  if (item.shown !== sign) {
    item.shown = sign;
    item.a.className = why.length ? "bad" : wait.length || soon.length ? "waits" : "";
    put(item.a, make("strong", table.table), make("span", line(table)),
      ...why.map((each) => make("span", each, "why")), ...[...wait, ...soon].map((each) => make("span", each, "soon")));
  }
  item.li.hidden = !wanted(table);
  return item.li;
}

function meter(link) {
  const box = make("div", "", "meter");
  box.append(make("span", `${link.link}${link.running ? "" : " (stands still)"}: `));
  for (const each of link.levels) box.append(make("span", ` ${words(each.level)} `), make("b", dollars(each.cents)));
  return box;
}

function row(...cells) {
  const found = make("tr");
  found.append(...cells.map((each) => make("td", each)));
  return found;
}

function fact(name, text) { return [make("dt", name), make("dd", text)]; }

function felt(table) {
  const places = new Map((table.lie || []).map(([place, count]) => [place, count]));
  const rows = [];
  for (let seat = 1; seat <= table.seats; seat += 1) {
    const lies = [...places].filter(([place]) => place === `seat${seat}` || place.startsWith(`seat${seat}:`));
    lies.forEach(([place]) => places.delete(place));
    const bets = table.wagers.filter((each) => each[0] === seat).map((each) => `${words(each[1])} ${each[2] ? dollars(each[2]) : ""}`);
    const state = table.folded.includes(seat) ? "folded" : table.asking === seat ? "is asked" : "";
    rows.push(row(`seat ${seat}`, bets.join(", ") || "open", String(lies.reduce((sum, each) => sum + each[1], 0)), state));
  }
  for (const [place, count] of places) rows.push(row(words(place), "", String(count), ""));
  return rows;
}

function one(name) {
  const table = pit.tables.find((each) => each.table === name);
  at("one").hidden = !table;
  at("all").hidden = Boolean(table);
  if (!table) return;
  at("one-title").textContent = table.table;
  const known = table.silent_s !== null;
  const why = reasons(table);
  put(at("facts"), ...fact("now", line(table)), ...fact("held", why.join("; ") || "nothing"),
    ...(known ? [...fact("waits", waits(table).join("; ") || "nothing"), ...fact("round", String(table.round || "none")),
      ...fact("decks", table.decks.map(([deck, lot, s]) => `${deck.toUpperCase()} (${lot}): ${s ? `due in ${since(s)}` : "due"}`).join("; ") || "none"),
      ...fact("own meters", table.meters.map(([m, level, cents]) => `${words(m)} ${words(level)} ${dollars(cents)}`).join("; ") || "none"),
      ...fact("today", table.day.map(([what, count]) => `${what} ${count}`).join(", ")),
      ...fact("program", `${table.version} ${table.program.slice(0, 12)}`), ...fact("chapter", table.chapter)] : []));
  put(at("felt").tBodies[0], ...(known ? felt(table) : []));
  put(at("devices"), ...(known ? table.devices : []).map(([device, up, text]) => make("li", `${device}: ${up ? "up" : "down"} ${text}`, up ? "" : "why")));
}

function show() {
  at("facility").textContent = pit.facility || "The pit";
  at("news").textContent = pit.leads ? `${pit.tables.length} tables, ${pit.tables.filter((each) => reasons(each).length).length} held or silent`
    : "this service stands by: another one leads";
  at("still").hidden = !(pit.unwritten || (pit.ahead || []).length);
  at("still").textContent = pit.unwritten ? `This floor enters nothing, and links go down: ${pit.unwritten}.`
    : `This floor stands still: its store is older than what ${(pit.ahead || []).join(", ")} was told.`;
  put(at("meters"), ...pit.links.map(meter));
  const open = pit.tables.flatMap((table) => [...waits(table), ...due(table)].map((each) => make("li", `${table.table}: ${each}`)));
  at("waiting").hidden = !open.length;
  put(at("waits"), ...open);
  const cards = pit.tables.map(card), list = at("tables");
  if (list.children.length !== cards.length || cards.some((each, place) => list.children[place] !== each)) put(list, ...cards);
  put(at("hits").tBodies[0], ...pit.hits.map((each) => row(each.at, each.table, `${each.link} ${words(each.level)}`, words(each.row),
    each.seats.join(", "), dollars(each.cents), each.by_hand ? `${each.state}, by hand` : each.state)));
  one(decodeURIComponent(location.hash.slice(1)));
}

const stream = new EventSource("events");
stream.onmessage = (event) => { pit = JSON.parse(event.data); show(); document.body.dataset.turn = String(Number(document.body.dataset.turn || 0) + 1); };
stream.onerror = () => { at("news").textContent = "the floor is not heard: what is shown is old"; };
at("find").oninput = at("trouble").onchange = show;
window.onhashchange = () => { show(); if (location.hash.length > 1) at("one-title").focus(); };
document.onkeydown = (event) => {
  if (event.key === "/" && document.activeElement !== at("find")) { event.preventDefault(); at("find").focus(); }
  if (event.key === "Escape") { at("find").value = ""; location.hash = ""; show(); }
};
