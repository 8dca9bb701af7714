// The work of the server that takes time, with its progress.

import {numbers} from "./text.js";

export class ActivityBar {
  /** The nodes by the IDs of activities. */
  #nodes = new Map();

  /** `cancel(id)` cancels an activity, and returns the error, if any. */
  constructor({bar, cancel}) {
    Object.assign(this, {bar, cancel});
  }

  show(activities) {
    const shown = new Set(activities.map(({id}) => id));
    for (const [id, node] of this.#nodes) {
      if (shown.has(id)) continue;
      node.remove();
      this.#nodes.delete(id);
    }
    for (const activity of activities) this.#fill(this.#node(activity.id), activity);
    this.bar.hidden = activities.length === 0;
  }

  #node(id) {
    let node = this.#nodes.get(id);
    if (node) return node;
    node = document.getElementById("activity").content.firstElementChild.cloneNode(true);
    node.querySelector("button").addEventListener("click", async ({target}) => {
      target.disabled = true;
      if (await this.cancel(id)) target.disabled = false;
    });
    this.#nodes.set(id, node);
    this.bar.append(node);
    return node;
  }

  #fill(node, {title, done, total}) {
    node.querySelector(".title").textContent = title;
    const progress = node.querySelector("progress");
    if (total > 0) Object.assign(progress, {max: total, value: done});
    else progress.removeAttribute("value");
    progress.ariaLabel = title;
    node.querySelector(".number").textContent
      = total > 0 ? `${numbers.format(done)} of ${numbers.format(total)}` : "";
    node.querySelector("button").ariaLabel = `Cancel: ${title}`;
  }
}
