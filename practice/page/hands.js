// What hands do beside the keys: chips, cards, people, and what the world does to a table.
import { draggable } from "./drag.js";
import { button, dollars, html, set, write } from "./make.js";

const CHIPS = [100, 500, 2500, 10000, 50000];
const TABS = ["Chips and cards", "People", "World", "Watch"];
const ROLES = ["players", "dealer", "floor"];
const PACES = { slow: 2, steady: 0.6, fast: 0 };

export class Hands {
  constructor(table, place) {
    this.table = table;
    this.chip = 2500;
    this.isWhole = false;
    this.isBottom = false;
    const bodies = [this.cardsTab(), this.peopleTab(), this.worldTab(), this.watchTab()];
    const tabs = TABS.map((name, n) => button(name, () => show(n), { class: "tab" }));
    const show = (chosen) => bodies.forEach((body, n) => {
      body.hidden = n !== chosen;
      set(tabs[n], "aria-expanded", n === chosen);
    });
    this.first = tabs[0];
    place.append(html("div", { class: "tabs" }, ...tabs), ...bodies);
    show(0);
    this.update({ power: table.power, watch: table.watch });
  }

  focus() { this.first.focus(); }

  // How a card is laid: all of the hand at once, or from below.
  how(event) { return { whole: this.isWhole || event.shiftKey, bottom: this.isBottom || event.altKey }; }

  cardsTab() {
    const chips = [...CHIPS, 0].map((cents) => button(cents ? dollars(cents) : "take off", () => choose(cents), { class: "chip-choice", "data-cents": cents }));
    const choose = (cents) => {
      this.chip = cents;
      chips.forEach((chip) => set(chip, "aria-pressed", Number(chip.dataset.cents) === cents));
    };
    choose(this.chip);
    for (const chip of chips) {
      const cents = Number(chip.dataset.cents);
      if (cents) draggable(chip, () => ({ words: dollars(cents), cents }), (held, spot) => { if (spot) this.table.felt.drop(spot, held.cents); });
    }
    const toggle = (words, name) => {
      const element = button(words, () => { this[name] = !this[name]; set(element, "aria-pressed", this[name]); }, { "aria-pressed": "false" });
      return element;
    };
    const colors = Object.keys(this.table.cards.boxes);
    const isHand = this.table.layout.method === "hand" || this.table.layout.method === "manual_shoe";
    return html("div", { class: "tab-body" },
      row("Chips", ...chips),
      row("Cards", this.deed("draw", "Draw a card"), toggle("lay all", "isWhole"), toggle("from the bottom", "isBottom"),
        button("Card to the rack", () => this.table.do("to_rack", { whole: this.isWhole }), { "data-do": "to_rack" }), this.deed("clear", "All cards to the rack")),
      row("Decks", ...colors.map((color) => this.deed("load", `${color} into the machine`, { color })),
        this.deed("take_tray", "Take the shuffled deck"), this.deed("empty", "Empty the machine"),
        ...(isHand ? colors.map((color) => this.deed("by_hand", `Shuffle ${color} by hand`, { color })) : [])));
  }

  peopleTab() {
    const keys = this.table.layout.people.filter((each) => each.role !== "auditor").map((each) =>
      this.deed("person", `${each.name}: key and PIN`, { number: each.number }));
    const signOn = this.table.layout.people.filter((each) => each.role === "dealer").map((each) =>
      this.deed("person", `${each.name} signs on`, { number: each.number, back: true }));
    return html("div", { class: "tab-body" },
      row("Sign on", ...signOn), row("Key switch", ...keys, this.deed("turn_key", "Turn the key back", { turned: false }),
        this.deed("turn_key", "Turn the key", { turned: true })),
      row("Cabinet", this.deed("cabinet", "Open the door", { what: "door", moved: true }), this.deed("cabinet", "Close the door", { what: "door", moved: false }),
        this.deed("cabinet", "Cover a device", { what: "cover", moved: true }), this.deed("cabinet", "Uncover it", { what: "cover", moved: false })));
  }

  worldTab() {
    const device = (words, name, order) => this.deed("device", words, { device: name, words: order });
    const shuffler = "shuffler" in this.table.shows ? "shuffler" : "shoe";
    const colors = Object.keys(this.table.cards.boxes);
    this.cables = html("div", { class: "row" });
    const stack = html("input", { id: "stack", size: 18, placeholder: "As Ah Ad Ac", spellcheck: "false" });
    const place = html("select", { id: "give-place" }, ...Object.keys(this.table.layout.places).map((name) => html("option", {}, name)));
    const gift = html("input", { id: "give", size: 14, placeholder: "As Ah Ad Ac", spellcheck: "false" });
    const hours = html("input", { id: "hours", type: "number", min: 1, max: 72, value: 9, size: 3 });
    return html("div", { class: "tab-body" },
      row("Next card", this.deed("spoil", "falls face up", { how: "next face up" }), this.deed("spoil", "unreadable", { how: "next unreadable" }),
        html("label", { for: "stack" }, "then come"), stack,
        button("Stack", () => this.table.do("stack", { cards: stack.value.trim().split(/\s+/) }))),
      row("Stack the deck, for the chips that lie there", html("label", { for: "give-place" }, "give"), place, html("label", { for: "give" }, "these"), gift,
        button("Give", () => this.table.do("give", { place: place.value, cards: gift.value.trim().split(/\s+/).filter(Boolean) }))),
      row("A deck in the rack", ...colors.flatMap((color) => [this.deed("spoil", `${color}: one boxed`, { how: "boxed", color }),
        this.deed("spoil", `${color}: one missing`, { how: "missing", color })]), this.deed("spoil", "all as it should be", { how: "as it should be" })),
      row("Machine", device("card jams", shuffler, "jam 2 1"), device("stack jams", shuffler, "jam-stack 1"), device("stack short", shuffler, "short 1"),
        device("open the lid", shuffler, "door 1 open"), device("close the lid", shuffler, "door 1 close"),
        device("service door open", shuffler, "door 3 open"), device("closed", shuffler, "door 3 close"),
        device("sort mode", shuffler, "mode sort"), device("play mode", shuffler, "mode play")),
      row("Cables", this.cables),
      row("Controller", this.deed("power", "cut the power", { word: "cut" }), this.deed("power", "power on", { word: "on" }),
        this.deed("power", "stop in good order", { word: "stop" }), html("label", { for: "hours" }, "hours"), hours,
        button("let hours pass", () => this.table.do("power", { word: "hours", hours: Number(hours.value) }))),
      row("Save as a scenario for the rig", html("a", { href: "round.toml", download: "practice-round.toml" }, "this round"),
        html("a", { href: "day.toml", download: "practice-day.toml" }, "everything since the start")));
  }

  // Roles that are played by themselves, how fast, and a rest.
  watchTab() {
    const now = () => ({ roles: [], pace_s: PACES.steady, paused: false, ...this.table.watch });
    const ask = (change) => {
      const { roles, pace_s, paused } = { ...now(), ...change(now()) };
      this.table.do("watch", { roles, pace_s, paused });
    };
    this.roles = ROLES.map((role) => button(role, () => ask(({ roles }) =>
      ({ roles: roles.includes(role) ? roles.filter((each) => each !== role) : [...roles, role] })), { "data-role": role }));
    this.paces = Object.entries(PACES).map(([name, pace_s]) => button(name, () => ask(() => ({ pace_s })), { "data-pace": pace_s }));
    this.pause = button("pause", () => ask(({ paused }) => ({ paused: !paused })));
    this.stuck = html("p", { "aria-live": "polite" });
    return html("div", { class: "tab-body" }, row("Played by themselves", ...this.roles), row("Speed", ...this.paces, this.pause), this.stuck);
  }

  showWatch({ roles = [], pace_s, paused = false, stuck = "" }) {
    this.roles.forEach((each) => set(each, "aria-pressed", roles.includes(each.dataset.role)));
    this.paces.forEach((each) => set(each, "aria-pressed", Number(each.dataset.pace) === pace_s));
    set(this.pause, "aria-pressed", paused);
    write(this.stuck, stuck ? `They leave it to you: ${stuck}` : "");
  }

  deed(name, words, more = {}) { return button(words, () => this.table.do(name, more), { "data-do": name }); }

  update(part) {
    if (part.watch) this.showWatch(part.watch);
    if (!part.power) return;
    const state = JSON.stringify(part.power.cables);
    if (this.cablesShown === state) return;
    this.cablesShown = state;
    const had = document.activeElement?.dataset?.cable;
    this.cables.replaceChildren(...Object.entries(part.power.cables).map(([device, isIn]) =>
      button(`${device}: ${isIn ? "pull" : "plug in"}`, () => this.table.do("cable", { device, in: !isIn }), { "data-cable": device })));
    if (had) this.cables.querySelector(`[data-cable="${had}"]`)?.focus();
  }
}

function row(name, ...parts) {
  return html("div", { class: "row", role: "group", "aria-label": name }, html("span", { class: "row-name" }, name), ...parts);
}
