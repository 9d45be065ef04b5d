// The page of the practice table: what is told comes in here and goes to whoever draws it; what hands do goes out.
import { Felt } from "./felt.js";
import { Dealer } from "./dealer.js";
import { Hands } from "./hands.js";
import { Panes } from "./panes.js";
import { Lesson } from "./lessons.js";

const SAID_MS = 6000;

class Table {
  constructor() {
    this.layout = null;
    this.shows = {};
    this.cards = null;
    this.power = null;
    this.told = null;
    this.parts = [];
    this.retry = 250;
  }

  connect() {
    this.socket = new WebSocket(`ws://${location.host}/table`);
    this.socket.onmessage = (event) => this.take(JSON.parse(event.data));
    this.socket.onopen = () => { this.retry = 250; };
    this.socket.onclose = () => {
      document.getElementById("power").textContent = "The practice table has ended, or cannot be reached.";
      setTimeout(() => this.connect(), this.retry = Math.min(4000, this.retry * 2));
    };
  }

  do(name, words = {}) { this.send({ do: name, ...words }); }

  send(asked) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(asked));
  }

  take(part) {
    if (part.shows) Object.assign(this.shows, part.shows);
    if (part.cards) this.cards = part.cards;
    if (part.power) this.power = part.power;
    if (part.watch) this.watch = part.watch;
    if (part.told) this.told = part.told;
    if (part.lesson) this.lesson = part.lesson;
    if (part.layout) this.begin(part.layout);
    if (part.refused) say(part.refused.why);
    for (const each of this.parts) each.update(part);
    if (part.power) this.tellPower();
  }

  begin(layout) {
    if (this.layout && JSON.stringify(this.layout) !== JSON.stringify(layout)) location.reload();
    if (this.layout) return;
    this.layout = layout;
    document.title = `${layout.game}, practice, NOT FOR PLAY`;
    document.getElementById("game").textContent = `${layout.game}, ${layout.method.replaceAll("_", " ")}`;
    this.hands = new Hands(this, document.getElementById("hands"));
    this.felt = new Felt(this, document.getElementById("felt"));
    this.dealer = new Dealer(this, document.getElementById("dealer"));
    this.panes = new Panes(this, document.getElementById("panes"));
    this.learning = new Lesson(this, document.getElementById("lesson"));
    this.parts = [this.felt, this.dealer, this.hands, this.panes, this.learning];
  }

  tellPower() {
    const later = this.power.later_s ? `, ${Math.round(this.power.later_s / 3600)} h later` : "";
    const words = this.power.on ? `The controller is on${later}.` : "The controller has no power.";
    const place = document.getElementById("power");
    if (place.textContent !== words) place.textContent = words;
    place.title = `journal and log: ${this.power.folder}`;
  }
}

let saying = 0;
export function say(words) {
  const place = document.getElementById("said");
  place.textContent = words;
  clearTimeout(saying);
  saying = setTimeout(() => { place.textContent = ""; }, SAID_MS);
}

// Whoever looks into the page from its console, or measures it, has the table by this name.
const table = window.practice = new Table();
table.connect();
