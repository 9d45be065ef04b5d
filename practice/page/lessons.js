// Lessons: the list to choose from, and the one that is under way, its step in words beside the table.
import { button, html, set, write } from "./make.js";

const MOST_SHOWN = 60;
const PARTS = { dealer: ["dealer"], floor: ["floor"], both: ["dealer", "floor"] };

// The list, a pane beside the table.
export class LessonList {
  constructor(table) {
    this.table = table;
    this.rows = [];
    this.part = "dealer";
    this.search = html("input", { id: "lesson-search", type: "search", placeholder: "13(c), hand, restart", oninput: () => this.list(), spellcheck: "false" });
    this.kind = html("select", { id: "lesson-kind", onchange: () => this.list() },
      html("option", { value: "lesson" }, "lessons"), html("option", { value: "scenario of the rig" }, "scenarios of the rig"));
    this.found = html("ul", { class: "lesson-list" });
    this.parts = Object.keys(PARTS).map((name) => button(name, () => this.choose(name), { "aria-pressed": name === this.part }));
    this.count = html("p", { "aria-live": "polite" });
    this.body = html("div", { class: "tab-body" },
      html("div", { class: "row" }, html("label", { for: "lesson-search" }, "Find"), this.search, html("label", { for: "lesson-kind" }, "in"), this.kind),
      html("div", { class: "row", role: "group", "aria-label": "Your part" }, html("span", {}, "Your part"), ...this.parts,
        html("a", { href: "record.html", target: "_blank", rel: "noopener" }, "Training record")),
      this.count, this.found);
  }

  async open() {
    if (!this.rows.length) this.rows = await (await fetch("lessons.json")).json();
    this.list();
  }

  choose(part) {
    this.part = part;
    this.parts.forEach((each) => set(each, "aria-pressed", each.textContent === part));
  }

  // This table's chapter stands first.
  list() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chapter = this.table.layout.chapter;
    const fits = this.rows.filter((row) => row.kind === this.kind.value
      && words.every((word) => `${row.name} ${row.method} ${row.chapter}`.toLowerCase().includes(word)));
    fits.sort((a, b) => (b.chapter === chapter) - (a.chapter === chapter));
    write(this.count, `${fits.length} found${fits.length > MOST_SHOWN ? `, the first ${MOST_SHOWN} are shown` : ""}`);
    this.found.replaceChildren(...fits.slice(0, MOST_SHOWN).map((row) => html("li", {},
      button(row.name, () => this.table.do("lesson", { word: "begin", name: row.name, roles: PARTS[this.part] }), { class: "lesson-name" }),
      html("span", { class: "best" }, row.best === null || row.best === undefined ? "" : `best ${row.best}`))));
  }

  update(part) {
    if (!part.best) return;
    for (const row of this.rows) row.best = part.best[row.name] ?? row.best;
    if (!this.body.hidden) this.list();
  }
}

// The lesson that is under way: a strip over the display.
export class Lesson {
  constructor(table, place) {
    this.table = table;
    this.place = place;
    this.about = html("p", { class: "cited" });
    this.say = html("p", { class: "says", "aria-live": "polite" });
    this.cite = html("p", { class: "cited" });
    this.name = html("strong", {});
    this.marks = html("span", { class: "marks", role: "status" });
    this.missed = html("ul", { class: "missed" });
    const order = (words, word) => button(words, () => table.do("lesson", { word }), { "data-lesson": word });
    this.buttons = html("div", { class: "row" }, order("One step back", "back"), order("Show me", "show"), order("Again", "again"), order("Leave", "leave"));
    place.append(html("div", { class: "lesson-head" }, this.name, this.marks, this.buttons), this.about, this.say, this.cite, this.missed);
    this.update({ lesson: table.lesson });
  }

  update(part) {
    if (part.doing) write(this.say, part.doing);
    if (part.doing !== undefined && !this.table.lesson?.name) this.place.hidden = !part.doing;
    if (!part.lesson) return;
    this.place.hidden = !part.lesson.name;
    document.body.classList.toggle("learning", !this.place.hidden);
    if (part.lesson.name) this.show(part.lesson);
  }

  show({ name, about, at, tasks, hint, marks, why, done }) {
    const task = tasks[at];
    write(this.name, name);
    write(this.about, done || why ? "" : about);
    write(this.marks, `step ${done ? tasks.length : at + 1} of ${tasks.length}, ${marks.right} keys right, ${marks.missed.length} missed, score ${marks.score}`);
    const words = done ? `Done, with ${marks.score} of 100 in ${marks.seconds} s of yours.`
      : why ? `It went another way: ${why}` : task.who === "you" ? `You: ${task.says}` : `${task.who}: ${task.says}`;
    write(this.say, words);
    write(this.cite, done || why ? "" : `${task.cite}: ${task.gist.join(" ") || hint}`);
    this.missed.replaceChildren(...marks.missed.slice(-2).map((each) =>
      html("li", {}, `${each.pressed}${each.display ? ` at "${each.display}"` : ""}: right is ${each.wanted}`)));
  }
}
