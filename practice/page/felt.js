// The felt, drawn from the layout that the chapter and its submission give. Seen from the dealer: seat 1 is at the
// left, the dealer's own place is at the bottom.
import { draggable } from "./drag.js";
import { cardFace, cardWords, dollars, pressable, set, svg, write } from "./make.js";

const WIDTH = 1280, HEIGHT = 486;
const CARD_W = 34, CARD_H = 48, OVERLAP = 21, LIP = 15;
const SPOT_R = 16, MOST_W = 56, SPOT_H = 47, SPOTS_A_ROW = 4;
const ARC = 66, MOST_SPOTS = 64;
const CHIPS = [[50000, "#6b3fa0"], [10000, "#222"], [2500, "#1c7a43"], [500, "#b3261e"], [100, "#e9e4d4"]];

export class Felt {
  constructor(table, place) {
    this.table = table;
    this.layout = table.layout;
    this.seats = [];
    this.places = new Map();
    this.spots = new Map();
    this.rows = Math.ceil(this.layout.spots.length / SPOTS_A_ROW);
    this.inRow = Math.ceil(this.layout.spots.length / this.rows);
    this.spotWidth = Math.min(MOST_W, ((WIDTH - 40) / this.layout.seats - 8) / this.inRow);
    this.root = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": "The table as the dealer sees it" });
    this.root.append(...cloth());
    for (let seat = 1; seat <= this.layout.seats; seat++) this.root.append(this.seat(seat));
    this.root.append(this.middle(), this.rack(), this.machine(), this.sign(), this.tower(), this.keySwitch());
    place.append(this.root);
    this.update({ shows: table.shows, cards: table.cards, power: table.power });
  }

  // ------------------------------------------------------------ what is drawn once

  seat(number) {
    const width = (WIDTH - 40) / this.layout.seats;
    const middle = 20 + (number - 0.5) * width;
    const bow = (2 * middle) / WIDTH - 1;
    const group = svg("g", { transform: `translate(${middle} ${26 + ARC * bow * bow})`, role: "group", "aria-label": `Seat ${number}`, id: `seat-${number}` });
    const lamp = svg("circle", { cx: -34, cy: -8, r: 5, class: "lamp" });
    group.append(lamp, svg("text", { x: 0, y: -3, class: "seat-name" }, `SEAT ${number}`));
    const spots = this.layout.spots.map((spot, index) => this.spot(group, number, spot, index));
    const stations = this.layout.stations.map((spot, index) => this.station(group, number, spot, index));
    this.cardsOf(group, number);
    this.seats.push({ group, lamp, spots, stations });
    return group;
  }

  spot(group, seat, spot, index) {
    const count = this.layout.spots.length;
    const row = Math.floor(index / this.inRow);
    const inRow = Math.min(this.inRow, count - row * this.inRow);
    const x = ((index % this.inRow) - (inRow - 1) / 2) * this.spotWidth;
    const y = 24 + row * SPOT_H;
    const element = svg("g", { transform: `translate(${x} ${y})`, class: "spot" },
      svg("rect", { x: -this.spotWidth / 2 + 1, y: -SPOT_R - 2, width: this.spotWidth - 2, height: SPOT_H - 3, class: "reach" }),
      svg("circle", { r: SPOT_R, class: "ring" }),
      svg("circle", { cx: SPOT_R - 3, cy: -SPOT_R + 4, r: 4, class: "lamp" }),
      svg("g", { class: "chips" }),
      svg("text", { y: SPOT_R + 9, class: "spot-name" }, spot.short));
    const act = (event) => this.lay(seat, spot, event.shiftKey ? 0 : null);
    pressable(element, "", act);
    element.addEventListener("contextmenu", (event) => { event.preventDefault(); this.lay(seat, spot, 0); });
    element.addEventListener("keydown", (event) => {
      if (event.key === "Delete") this.lay(seat, spot, 0);
    });
    draggable(element, () => {
      const cents = this.cents(seat, index);
      return cents ? { words: dollars(cents), cents, from: element } : null;
    }, (held, to) => {
      if (to === element) return;
      this.lay(seat, spot, 0);
      if (to) this.drop(to, held.cents);
    });
    group.append(element);
    this.spots.set(element, { seat, spot, index });
    return { element, spot, seat, index, cents: -1, state: "" };
  }

  // Chips fall on a spot, on what lies there.
  drop(element, cents) {
    const { seat, spot, index } = this.spots.get(element);
    this.lay(seat, spot, this.cents(seat, index) + cents);
  }

  // A wager on a game account has a lamp at its station and no chips.
  station(group, seat, spot, index) {
    const element = svg("g", { transform: `translate(${64 - index * 128} ${-8})` },
      svg("rect", { x: -9, y: -6, width: 18, height: 11, rx: 2, class: "station" },
        svg("title", {}, `${spot.title}, on the game account`)),
      svg("circle", { r: 3, cy: -0.5, class: "lamp" }));
    group.append(element);
    return { element, seat, index };
  }

  // So much more of the chosen chip; nothing where it is to be taken off.
  lay(seat, spot, wanted) {
    const lies = this.cents(seat, this.layout.spots.indexOf(spot));
    const chosen = this.table.hands.chip;
    const cents = wanted !== null ? wanted : chosen === 0 ? 0 : lies + chosen;
    this.table.do("chips", { seat, wager: spot.wager, cents });
  }

  cents(seat, index) {
    return this.table.shows.pads.cents[(seat - 1) * this.layout.spots.length + index] || 0;
  }

  cardsOf(group, seat) {
    const names = Object.keys(this.layout.places).filter((each) => new RegExp(`^SEAT ${seat}( |$)`).test(each)).sort();
    const widths = names.map((name) => widthOf(this.layout.places[name]));
    let x = -(widths.reduce((sum, each) => sum + each, 0) + 8 * (names.length - 1)) / 2;
    const y = 24 + this.rows * SPOT_H;
    names.forEach((name, index) => {
      this.place(group, name, x, y, widths[index]);
      x += widths[index] + 8;
    });
  }

  middle() {
    const group = svg("g", { role: "group", "aria-label": "The dealer's place", id: "middle", transform: `translate(${WIDTH / 2} ${HEIGHT - 158})` });
    const names = Object.keys(this.layout.places).filter((each) => !each.startsWith("SEAT")).sort((a) => (a === "COMMUNITY" ? -1 : 1));
    const widths = names.map((name) => Math.max(64, widthOf(this.layout.places[name])));
    let x = -(widths.reduce((sum, each) => sum + each, 0) + 14 * (names.length - 1)) / 2;
    names.forEach((name, index) => {
      this.place(group, name, x, 0, widths[index]);
      group.append(svg("text", { x: x + widths[index] / 2, y: -4, class: "place-name" }, name));
      x += widths[index] + 14;
    });
    this.hand = svg("g", { class: "in-hand", transform: `translate(0 ${CARD_H + 28})` });
    group.append(this.hand);
    return group;
  }

  // A place for cards: its outline, whose edge is free of them, lays the next card; each card turns.
  place(group, name, x, y, width) {
    const outline = svg("rect", { x: x - 3, y: y - LIP, width: width + 6, height: CARD_H + LIP + 3, rx: 4, class: "place" });
    pressable(outline, "", (event) => this.table.do("lay", { place: name, ...this.table.hands.how(event) }));
    const cards = svg("g", { transform: `translate(${x} ${y})` });
    const more = svg("g", { transform: `translate(${x + width} ${y})`, class: "turn-all", visibility: "hidden" },
      svg("rect", { x: -25, y: CARD_H + 2, width: 25, height: 25, class: "reach" }),
      svg("text", { x: -12, y: CARD_H + 19, class: "arrow" }, "⟲"));
    pressable(more, `Turn all cards at ${name.toLowerCase()}`, () => this.table.do("turn", { place: name }));
    group.append(outline, cards, more);
    this.places.set(name, { outline, cards, more, width, seen: "" });
  }

  rack() {
    const group = svg("g", { transform: `translate(24 ${HEIGHT - 158})`, role: "group", "aria-label": "The decks" });
    this.boxes = new Map();
    Object.keys(this.table.cards.boxes).forEach((color, index) => {
      const count = svg("text", { x: 26, y: 88, class: "count" }, "");
      const box = svg("g", { transform: `translate(${index * 66} 0)` },
        svg("rect", { width: 52, height: 72, rx: 5, class: `box ${color}` }),
        svg("text", { x: 26, y: 40, class: "on-box" }, color.toUpperCase()), count);
      pressable(box, "", () => this.table.do("load", { color }));
      this.boxes.set(color, { box, count });
      group.append(box);
    });
    this.tray = svg("g", { transform: "translate(150 6)" });
    group.append(svg("text", { x: 26, y: -8, class: "seat-name" }, "RACK"), this.tray);
    return group;
  }

  machine() {
    const deals = !("shuffler" in this.table.shows);
    const group = svg("g", { transform: `translate(${WIDTH - 250} ${HEIGHT - 158})`, role: "group", "aria-label": "Shuffler and shoe" });
    this.works = {
      body: svg("rect", { x: 120, width: 106, height: 92, rx: 9, class: "machine" }),
      lamp: svg("circle", { cx: 212, cy: 14, r: 5, class: "lamp" }),
      words: svg("text", { x: 173, y: 52, class: "machine-words" }, ""),
      lid: svg("rect", { x: 132, y: -7, width: 60, height: 7, rx: 2, class: "lid" }),
    };
    const name = svg("text", { x: 173, y: 34, class: "machine-name" }, deals ? "DEALING SHOE" : "SHUFFLER");
    group.append(this.works.lid, this.works.body, this.works.lamp, name, this.works.words);
    this.out = svg("g", { transform: "translate(0 16)" });
    group.append(this.out);
    return group;
  }

  sign() {
    const group = svg("g", { transform: "translate(14 12)" });
    this.pages = svg("text", { x: 8, y: 15, class: "sign-words" }, "");
    this.signBox = svg("rect", { width: 168, height: 22, rx: 3, class: "sign" });
    group.append(this.signBox, this.pages);
    if (!("sign" in this.table.shows)) set(group, "visibility", "hidden");
    return group;
  }

  tower() {
    const group = svg("g", { transform: `translate(${WIDTH - 132} 10)`, role: "img", "aria-label": "" });
    this.lamps = { group };
    [["healthy", "FAULT", 0], ["hit", "HIT", 40], ["call", "CALL", 80]].forEach(([name, words, x]) => {
      this.lamps[name] = svg("rect", { x, width: 34, height: 22, rx: 4, class: "tower" });
      group.append(this.lamps[name], svg("text", { x: x + 17, y: 15, class: "tower-words" }, words));
    });
    return group;
  }

  // The floor's key switch: its slot stands upright, and across where the key is turned.
  keySwitch() {
    this.key = svg("g", { transform: `translate(${WIDTH - 158} 21)`, class: "key-switch" },
      svg("circle", { r: 13, class: "barrel" }), svg("rect", { x: -2, y: -9, width: 4, height: 18, rx: 2, class: "slot" }),
      svg("rect", { x: -13, y: -13, width: 26, height: 26, class: "reach" }));
    pressable(this.key, "", () => this.table.do("turn_key", { turned: !this.isTurned }));
    return this.key;
  }

  get isTurned() { return this.table.shows.lines.key_switch === 0; }

  // ------------------------------------------------------------ what changes

  update(part) {
    if (part.shows) this.showDevices();
    if (part.cards) this.showCards(part.cards);
  }

  showDevices() {
    const { pads, lines, sign } = this.table.shows;
    for (const seat of this.seats) {
      set(seat.lamp, "class", pads.seats[seat.spots[0].seat - 1] ? "lamp on" : "lamp");
      for (const each of seat.spots) this.showSpot(each, pads);
    }
    this.showStations();
    if (sign) write(this.pages, this.page(sign.pages));
    this.showTower(lines);
    set(this.key, "class", this.isTurned ? "key-switch turned" : "key-switch");
    set(this.key, "aria-label", this.isTurned ? "The floor's key switch is turned: turn it back" : "Turn the floor's key switch");
    this.showMachine();
  }

  showSpot(each, pads) {
    const number = (each.seat - 1) * this.layout.spots.length + each.index;
    const isLocked = bit(pads.locked_bits, number), isLit = bit(pads.lit_bits, number);
    const cents = pads.cents[number] || 0;
    const state = `${isLocked} ${isLit} ${cents}`;
    if (state === each.state) return;
    each.state = state;
    set(each.element, "class", `spot ${isLocked ? "locked" : "open"}${isLit ? " lit" : ""}`);
    const words = cents ? dollars(cents) : "empty";
    set(each.element, "aria-label", `Seat ${each.seat}, ${each.spot.title}: ${words}, ${isLocked ? "locked" : "open"}${isLit ? ", lamp lit" : ""}`);
    if (cents !== each.cents) each.element.querySelector(".chips").replaceChildren(...chips(cents));
    each.cents = cents;
  }

  showStations() {
    const accounts = this.table.shows.accounts;
    if (!accounts) return;
    for (const seat of this.seats) {
      for (const each of seat.stations) {
        const isLit = accounts[`lit_${each.seat}_${each.index + 1}`];
        set(each.element.querySelector(".lamp"), "class", isLit ? "lamp on" : "lamp");
      }
    }
  }

  // A sign shows its pages one after the other; so does this, with each thing that happens.
  page(pages) {
    return pages.join("   ").slice(0, 26);
  }

  showTower(lines) {
    const on = { healthy: !lines.healthy, hit: lines.hit, call: lines.call };
    for (const [name, isOn] of Object.entries(on)) set(this.lamps[name], "class", `tower ${name}${isOn ? " on" : ""}`);
    const burning = Object.keys(on).filter((name) => on[name]).map((name) => (name === "healthy" ? "fault" : name));
    set(this.lamps.group, "aria-label", `Tower lamp: ${burning.join(", ") || "nothing burns"}`);
  }

  showMachine() {
    const works = this.table.shows.shuffler || this.table.shows.shoe;
    const doing = works.fault ? `FAULT ${works.fault}` : works.cycle === 1 ? "SHUFFLING" : works.held ? "HOLDS" : "READY";
    write(this.works.words, doing);
    set(this.works.lamp, "class", `lamp ${works.fault ? "fault" : works.cycle === 1 ? "busy" : "on"}`);
    set(this.works.lid, "class", works.doors ? "lid open" : "lid");
  }

  showCards(cards) {
    for (const [name, place] of this.places) this.showPlace(name, place, cards.places[name] || []);
    for (const [color, { box, count }] of this.boxes) {
      write(count, `${cards.boxes[color]}`);
      const inside = cards.machine[color] ? `, ${cards.machine[color]} in the machine` : "";
      set(box, "aria-label", `Lay the ${color} deck into the machine: ${cards.boxes[color]} cards in the rack${inside}`);
    }
    this.pile(this.tray, cards.tray, "Take the shuffled deck", () => this.table.do("take_tray"), "SHUFFLED");
    const out = this.table.layout.method.startsWith("auto") ? cards.exit : cards.pack;
    const isExit = out === cards.exit;
    this.pile(this.out, out, isExit ? "Take the stack in the exit" : "Draw the next card",
      () => this.table.do(isExit ? "take_exit" : "draw"), isExit ? "EXIT" : this.packName());
    this.showHand(cards.hand);
  }

  packName() { return this.layout.method === "hand" ? "PACK" : "SHOE"; }

  showPlace(name, place, pile) {
    const seen = JSON.stringify(pile);
    if (seen === place.seen) return;
    place.seen = seen;
    const step = pile.length > 1 ? Math.min(CARD_W + 2, (place.width - CARD_W) / (pile.length - 1)) : 0;
    const focused = [...place.cards.children].indexOf(document.activeElement);
    place.cards.replaceChildren(...pile.map((card, nth) => this.card(card, nth * step, `${name.toLowerCase()}, card ${nth + 1}`,
      () => this.table.do("turn", { place: name, nth }))));
    if (focused >= 0) (place.cards.children[focused] || place.outline).focus();
    set(place.outline, "aria-label", `Lay a card at ${name.toLowerCase()}: ${pile.length} of ${this.layout.places[name]}`);
    set(place.more, "visibility", pile.length > 1 ? "visible" : "hidden");
  }

  card(seen, x, label, turn) {
    const group = svg("g", { transform: `translate(${x.toFixed(1)} 0)`, class: "card" });
    if (seen.length > 1) {
      const face = cardFace(seen[1]);
      group.append(svg("rect", { width: CARD_W, height: CARD_H, rx: 4, class: "face" }),
        svg("text", { x: 3, y: 16, class: face.isRed ? "rank red" : "rank" }, face.rank),
        svg("text", { x: 4, y: 33, class: face.isRed ? "suit red" : "suit" }, face.suit));
    } else {
      group.append(svg("rect", { width: CARD_W, height: CARD_H, rx: 4, class: `back ${seen[0]}` }),
        svg("rect", { x: 4, y: 4, width: CARD_W - 8, height: CARD_H - 8, rx: 2, class: "weave" }));
    }
    return turn ? pressable(group, `Turn ${label}: ${cardWords(seen)}`, turn) : group;
  }

  // Cards on one another: a deck, a stack, a pack.
  pile(place, cards, label, act, name) {
    const key = `${cards.length} ${JSON.stringify(cards[0] || "")}`;
    if (place.dataset.key === key) return;
    const hadFocus = place.contains(document.activeElement);
    place.dataset.key = key;
    place.replaceChildren();
    place.append(svg("rect", { width: CARD_W + 8, height: CARD_H + 8, x: -4, y: -4, rx: 5, class: "slot" }),
      svg("text", { x: CARD_W / 2, y: CARD_H + 22, class: "count" }, `${name} ${cards.length}`));
    const group = svg("g", { class: cards.length ? "pile" : "pile none" });
    const depth = Math.min(5, Math.ceil(cards.length / 10));
    for (let n = depth; n > 0; n--) {
      const seen = typeof cards[0] === "string" ? [cards[0]] : cards[0];
      const card = this.card(seen, 0, "", null);
      set(card, "transform", `translate(${n - 1} ${1 - n})`);
      group.append(card);
    }
    if (!cards.length) group.append(svg("rect", { width: CARD_W, height: CARD_H, class: "reach" }));
    pressable(group, `${label}: ${cards.length}`, act);
    place.append(group);
    if (hadFocus) group.focus();
  }

  showHand(hand) {
    this.hand.replaceChildren(svg("text", { x: 0, y: CARD_H + 14, class: "count" }, hand.length ? `IN YOUR HAND ${hand.length}` : ""),
      ...hand.slice(0, 20).map((card, nth) => this.card(card, (nth - Math.min(20, hand.length) / 2) * OVERLAP, "", null)));
  }

  focusSeat(number) { this.seats[number - 1]?.spots[0].element.focus(); }

  focusMiddle() { [...this.places.entries()].find(([name]) => !name.startsWith("SEAT"))?.[1].outline.focus(); }
}

const widthOf = (count) => CARD_W + (Math.max(count, 2) - 1) * OVERLAP;

const bit = (bits, number) => number < MOST_SPOTS && bits[number] === "1";

function chips(cents) {
  if (!cents) return [];
  const drawn = [];
  let left = cents;
  for (const [worth, fill] of CHIPS) {
    for (; left >= worth && drawn.length < 5; left -= worth) drawn.push(fill);
  }
  const discs = (drawn.length ? drawn : ["#e9e4d4"]).map((fill, nth) =>
    svg("ellipse", { cx: 0, cy: 5 - nth * 4, rx: 13, ry: 8, fill, class: "chip" }));
  const words = dollars(cents);
  return [...discs, svg("rect", { x: -18, y: -7, width: 36, height: 13, rx: 6, class: "amount-back" }),
    svg("text", { y: 3, class: "amount" }, words)];
}

function cloth() {
  const edge = `M 8 ${HEIGHT - 30} L 8 74 Q ${WIDTH / 2} -62 ${WIDTH - 8} 74 L ${WIDTH - 8} ${HEIGHT - 30}`
    + ` Q ${WIDTH - 8} ${HEIGHT - 6} ${WIDTH - 40} ${HEIGHT - 6} L 40 ${HEIGHT - 6} Q 8 ${HEIGHT - 6} 8 ${HEIGHT - 30} Z`;
  return [
    svg("path", { d: edge, class: "rail" }),
    svg("path", { d: edge, class: "cloth", transform: `translate(${WIDTH * 0.008} ${HEIGHT * 0.016}) scale(.984)` }),
    svg("text", { x: WIDTH / 2, y: HEIGHT - 186, class: "not-for-play" }, "NOT FOR PLAY"),
  ];
}
