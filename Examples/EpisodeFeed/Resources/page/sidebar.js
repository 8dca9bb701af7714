// The podcasts with their numbers of episodes that are not played.

import {numbers, showPicture, time} from "./text.js";

const titles = new Intl.Collator(undefined, {numeric: true});

export class Sidebar {
  /** The selected podcast; null for all podcasts. */
  selected = null;
  /** The podcasts in the order of their titles. */
  podcasts = [];
  /** The items by podcast. */
  #items = new Map();

  /** `choose(title)` is called for each choice, with null for all podcasts. */
  constructor({list, empty, choose}) {
    Object.assign(this, {list, empty, choose});
  }

  /** Shows the podcasts in the order of their titles, after an item for all of them. */
  show(podcasts) {
    const unplayed = podcasts.reduce((sum, podcast) => sum + podcast.unplayed, 0);
    const sorted = podcasts.toSorted((a, b) => titles.compare(a.title, b.title));
    this.podcasts = sorted;
    const rows = [{title: null, name: "All podcasts", unplayed}];
    for (const podcast of sorted) {
      rows.push({...podcast, name: podcast.title || "Without a podcast"});
    }
    const shown = new Map();
    let next = this.list.firstElementChild;
    for (const row of podcasts.length > 0 ? rows : []) {
      const item = this.#items.get(row.title) ?? this.#makeItem(row.title);
      this.#fill(item, row);
      shown.set(row.title, item);
      // An item that stays keeps the focus.
      if (item === next) next = next.nextElementSibling;
      else this.list.insertBefore(item, next);
    }
    for (const [title, item] of this.#items) if (!shown.has(title)) item.remove();
    this.#items = shown;
    this.empty.hidden = podcasts.length > 0;
    this.select(this.selected);
  }

  /** Marks a podcast as selected. */
  select(title) {
    this.selected = title;
    for (const [other, item] of this.#items) {
      if (other === title) item.firstElementChild.setAttribute("aria-current", "true");
      else item.firstElementChild.removeAttribute("aria-current");
    }
  }

  #makeItem(title) {
    const item = document.getElementById("podcast").content.firstElementChild.cloneNode(true);
    item.firstElementChild.addEventListener("click", () => this.choose(title));
    const picture = item.querySelector("img");
    picture.addEventListener("load", () => picture.classList.add("is-loaded"));
    return item;
  }

  #fill(item, {title, name, unplayed, unplayedSeconds, imageURL, failure}) {
    const number = numbers.format(unplayed);
    const part = (selector) => item.querySelector(selector);
    part(".name").textContent = name;
    part(".number").textContent = unplayed > 0 ? number : "";
    part(".warning").hidden = !failure;
    const length = unplayed > 0 && unplayedSeconds > 0 ? time(unplayedSeconds) : "";
    const state = [`${number} not played`, length].filter((text) => text).join(", ");
    item.firstElementChild.title = [name, unplayed > 0 && state, failure]
      .filter((text) => text).join("\n");
    item.firstElementChild.ariaLabel = [name, state, failure].filter((text) => text).join(", ");
    // The initials are visible until the picture is loaded, or if there is no picture.
    part(".tile > span").textContent = title === null ? "★" : initials(name);
    showPicture(part("img"), imageURL);
  }
}

function initials(name) {
  const words = name.match(/[\p{Letter}\p{Number}]+/gu) ?? [];
  return words.slice(0, 2).map((word) => [...word][0].toLocaleUpperCase()).join("") || "•";
}
