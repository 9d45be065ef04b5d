// Beside the table, for those who want it: the real console, and events and effects as they flow.
import { Journal, Phase, Wire } from "./inside.js";
import { LessonList } from "./lessons.js";
import { button, html, set } from "./make.js";

const MOST_LINES = 400, MOST_EVENTS = 80;
const SECRET = new Set(["pin", "second_pin", "new_pin"]);

export class Panes {
  constructor(table, place) {
    this.table = table;
    this.number = 0;
    this.asked = null;
    this.answers = new Map();
    const panes = [
      ["Lessons", new LessonList(table)],
      ["Console", { body: this.console() }],
      ["Events", { body: this.events() }],
      ["Wire", new Wire(table)],
      ["Journal", new Journal(table, (words, hear) => this.ask(words, hear))],
      ["Phase", new Phase(table)],
    ];
    this.others = panes.map(([, pane]) => pane).filter((pane) => pane.update);
    const bodies = panes.map(([, pane]) => pane.body);
    const tabs = panes.map(([name], n) => button(name, () => show(n), { class: "tab" }));
    let open = null;
    const show = (chosen) => {
      bodies.forEach((body, n) => {
        body.hidden = n !== chosen;
        set(tabs[n], "aria-expanded", n === chosen);
      });
      const pane = panes[chosen][1];
      if (open !== pane) open?.close?.();
      open = pane;
      pane.open?.();
    };
    place.append(html("div", { class: "tabs" }, ...tabs), ...bodies);
    show(1);
  }

  // A question of a pane's own: what is answered goes there and not to the console's paper.
  ask(words, hear) {
    const id = ++this.number;
    this.answers.set(id, hear);
    this.table.send({ console: { id, do: words, quiet: true } });
  }

  // ------------------------------------------------------------ the console

  console() {
    this.out = html("pre", { class: "out", tabindex: "0", role: "log", "aria-label": "What the console says" });
    this.line = html("input", { id: "console-line", autocomplete: "off", spellcheck: "false" });
    this.label = html("label", { for: "console-line" }, "sabot>");
    this.people = html("div", { class: "row" }, ...this.table.layout.people.map((each) =>
      button(each.name, () => this.send({ do: ["unlock", each.number] }), { title: `unlock ${each.number}` })),
      button("lock", () => this.send({ do: ["lock"] })), button("stop", () => this.stop()));
    const form = html("form", { class: "line", onsubmit: (event) => { event.preventDefault(); this.enter(); } }, this.label, this.line,
      html("button", { type: "submit" }, "Send"));
    return html("div", { class: "tab-body console" }, this.people, this.out, form);
  }

  enter() {
    const words = this.line.value;
    this.line.value = "";
    if (this.asked) return this.answer(words);
    if (!words.trim()) return undefined;
    this.print(`sabot> ${words}`);
    return this.send({ do: words.trim().split(/\s+/) });
  }

  // A command that lacks something is given again, with what was asked for.
  answer(words) {
    const { request, ask } = this.asked;
    this.asked = null;
    this.line.type = "text";
    this.label.textContent = "sabot>";
    return this.send({ ...request, [ask]: words }, false);
  }

  send(request) {
    this.request = request;
    this.table.send({ console: { ...request, id: ++this.number } });
  }

  stop() { this.table.send({ console: { id: this.number, stop: true } }); }

  hear(said) {
    const answer = this.answers.get(said.id);
    if (answer) {
      answer(said);
      if (said.end || said.refused) this.answers.delete(said.id);
      return;
    }
    if (said.hello) this.print(`${said.table || ""} ${said.notice || ""}`.trim());
    if (said.text) this.print(said.text);
    if (said.line) this.print(said.line);
    if (said.frame) this.out.textContent = said.frame.join("\n");
    if (said.gone !== undefined) this.print(`(no console: ${said.gone})`);
    if (said.refused) this.print(`refused: ${said.refused}`);
    if (said.why) this.print(`${said.end || ""} ${said.code || ""} ${said.why}`.trim());
    else if (said.who) this.print(`${said.end} (${said.who})`);
    if (said.ask) this.wants(said);
  }

  wants(said) {
    this.asked = { request: this.request, ask: said.ask };
    this.label.textContent = said.words || said.ask;
    this.line.type = SECRET.has(said.ask) ? "password" : "text";
    this.line.focus();
  }

  print(words) {
    const lines = `${this.out.textContent}${words}\n`.split("\n");
    this.out.textContent = lines.slice(-MOST_LINES).join("\n");
    this.out.scrollTop = this.out.scrollHeight;
  }

  // ------------------------------------------------------------ events

  events() {
    this.list = html("ol", { class: "events", tabindex: "0", "aria-label": "Events and effects, the newest first" });
    return html("div", { class: "tab-body" }, this.list);
  }

  update(part) {
    if (part.console) this.hear(part.console);
    for (const pane of this.others) pane.update(part);
    if (part.told?.event) this.tell(part.told);
  }

  tell(told) {
    const effects = told.effects.map((each) => html("li", {}, words(each)));
    const notes = told.notes.map((note) => html("li", { class: "note" }, `on record: ${note.words}${note.cite ? ` [${note.cite}]` : ""}`));
    this.list.prepend(html("li", {}, html("strong", {}, `${told.number} ${words(told.event)}`), html("ul", {}, ...effects, ...notes)));
    while (this.list.children.length > MOST_EVENTS) this.list.lastChild.remove();
  }
}

function words(what) {
  const { kind, event, effect, ...rest } = what;
  const fields = Object.entries(rest).filter(([name, value]) => value !== null && value !== "" && !["at", "time", "source"].includes(name));
  return [kind || event || effect, ...fields.map(([name, value]) => `${name}=${typeof value === "object" ? JSON.stringify(value) : value}`)].join(" ");
}
