// Chips by dragging, with a mouse, a pen or a finger: out of the tray onto a spot, from spot to spot, or off the felt.
import { html } from "./make.js";

const FAR = 8;

// `take` says what is picked up at an element, or nothing; `drop` is told what, and the spot under it, if there is one.
export function draggable(element, take, drop) {
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const from = { x: event.clientX, y: event.clientY, id: event.pointerId };
    let held = null, ghost = null;
    const move = (at) => {
      if (at.pointerId !== from.id) return;
      if (!ghost && Math.hypot(at.clientX - from.x, at.clientY - from.y) > FAR) {
        held = take();
        if (!held) return end();
        ghost = html("div", { class: "ghost", "aria-hidden": "true" }, held.words);
        document.body.append(ghost);
      }
      if (ghost) {
        at.preventDefault();
        ghost.style.setProperty("transform", `translate(${at.clientX}px, ${at.clientY}px)`);
      }
    };
    const let_go = (at) => {
      if (at.pointerId !== from.id) return;
      end();
      if (!held) return;
      // The click that comes with it is no click.
      window.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 0);
      drop(held, document.elementFromPoint(at.clientX, at.clientY)?.closest(".spot") || null);
    };
    const end = () => {
      ghost?.remove();
      for (const [name, act] of acts) window.removeEventListener(name, act);
    };
    const acts = [["pointermove", move], ["pointerup", let_go], ["pointercancel", end]];
    for (const [name, act] of acts) window.addEventListener(name, act, { passive: false });
  });
}

function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}
