// The dealer's own things: the two-line display as its glass looks, the twelve keys and LOCK, and why.
import { html, set, write } from "./make.js";

const COLUMNS = 20, ROWS = 2;

export class Dealer {
  constructor(table, place) {
    this.table = table;
    this.glass = place.querySelector("#display");
    this.why = place.querySelector("#why");
    this.cells = Array.from({ length: COLUMNS * ROWS }, () => html("span", { "aria-hidden": "true" }));
    this.glass.append(...this.cells);
    this.down = new Set();
    this.keys = new Map(table.layout.keys.map((key) => [key.name, this.key(key)]));
    place.querySelector("#keys").append(...this.keys.values());
    this.typed = new Map(table.layout.keys.map((key) => [key.typed.toLowerCase(), key.name]));
    document.addEventListener("keydown", (event) => this.type(event, true));
    document.addEventListener("keyup", (event) => this.type(event, false));
    window.addEventListener("blur", () => [...this.down].forEach((name) => this.move(name, false)));
    this.prompt = { cite: "" };
    this.refused = "";
    this.update({ shows: table.shows });
  }

  key({ name, legend, typed }) {
    const shown = { ArrowLeft: "←", ArrowRight: "→", "-": "−" }[typed] || typed;
    const element = html("button", { type: "button", id: `key-${name}`, class: name === "LOCK" ? "key lock" : "key", "aria-keyshortcuts": typed },
      html("span", { class: "legend" }, legend), html("kbd", { "aria-hidden": "true" }, shown));
    element.addEventListener("pointerdown", (event) => {
      element.setPointerCapture(event.pointerId);
      this.move(name, true);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) element.addEventListener(end, () => this.move(name, false));
    element.addEventListener("keydown", (event) => this.press(event, name, true));
    element.addEventListener("keyup", (event) => this.press(event, name, false));
    // A click that came with neither pointer nor key is a screen reader's.
    element.addEventListener("click", (event) => {
      if (event.detail || event.isTrusted === false) return;
      if (!this.pressed) { this.move(name, true); this.move(name, false); }
      this.pressed = false;
    });
    return element;
  }

  press(event, name, isDown) {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (!event.repeat) this.move(name, isDown);
  }

  // Letters are keys wherever nothing is being written.
  type(event, isDown) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select")) return;
    if (isDown && this.goTo(event)) return;
    const name = this.typed.get(event.key.toLowerCase());
    if (!name) return;
    event.preventDefault();
    if (!event.repeat) this.move(name, isDown);
  }

  // S and a digit go to a seat, P to the dealer's place, H to the hands, K to the keys; D draws.
  goTo(event) {
    const key = event.key.toLowerCase();
    if (this.toSeat && /^[1-9]$/.test(key)) {
      this.toSeat = false;
      this.skip = key;
      this.table.felt.focusSeat(Number(key));
      return true;
    }
    this.toSeat = key === "s";
    if (key === "p") this.table.felt.focusMiddle();
    else if (key === "h") this.table.hands.focus();
    else if (key === "k") this.keys.get("OK").focus();
    else if (key === "d" && !event.repeat) this.table.do("draw");
    else return this.toSeat;
    return true;
  }

  move(name, isDown) {
    if (isDown === this.down.has(name)) return;
    if (isDown) this.down.add(name); else this.down.delete(name);
    this.keys.get(name).classList.toggle("down", isDown);
    this.table.do("key", { name, down: isDown });
  }

  update(part) {
    if (part.shows?.display) this.show(part.shows.display.lines);
    if (part.told) this.tell(part.told);
    if (part.power) this.glass.classList.toggle("off", part.power.cables.display === false);
  }

  show(lines) {
    const text = lines.map((line) => line.padEnd(COLUMNS).slice(0, COLUMNS)).join("");
    this.cells.forEach((cell, n) => write(cell, text[n] === " " ? "\u00a0" : text[n]));
    set(this.glass, "aria-label", `Display: ${lines.map((line) => line.trim()).join(" / ")}`);
  }

  tell(told) {
    this.refused = "";
    for (const effect of told.effects) {
      const kind = effect.effect || effect.kind || "";
      if (kind === "ShowPrompt") this.prompt = effect;
      if (kind === "RefuseInput") this.refused = effect.why;
    }
    Object.assign(this.gists ||= {}, told.gists);
    this.explain(told.view);
  }

  // The paragraph, our gist of it, and what the table waits for.
  explain(view) {
    const held = view.held.filter((each) => each.holds_now);
    const cite = held[0]?.cite || this.prompt.cite || "";
    const lines = [];
    if (this.refused) lines.push(html("p", { class: "refused" }, `Refused: ${this.refused}`));
    if (cite) lines.push(html("p", {}, html("strong", {}, cite), ` ${(this.gists[cite] || []).join(" ")}`));
    for (const each of held) lines.push(html("p", {}, `${each.why}: ${each.steps.join("; ")}`));
    const called = Object.entries(view.called).map(([role, why]) => `${role} called: ${why}`);
    if (called.length) lines.push(html("p", {}, called.join("; ")));
    const key = lines.map((line) => line.textContent).join("\n");
    if (this.shownWhy === key) return;
    this.shownWhy = key;
    this.why.replaceChildren(...lines);
  }
}
