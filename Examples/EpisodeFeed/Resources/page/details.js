// The pane with the show notes and the chapters of the selected episode.

import {dates, time, webAddress} from "./text.js";

/** The elements of show notes. The server sends no others. */
const elements = new Set(["div", "p", "blockquote", "pre", "h3", "ul", "ol", "li", "hr", "a",
  "strong", "em", "s", "sub", "sup", "code", "br"]);

/** The time after which the details of a selected row are requested. */
const patience = 120;

export class Details {
  /** The details on the screen; null if there are none. */
  current = null;
  #id;
  #isRequested = false;
  #request = 0;
  #chapterRequests = new Map();

  /**
   * `fetch(path)` returns an answer of the server. `play(details, seconds)` plays an episode.
   * `isWide()` tells whether the pane is beside the list, instead of above it.
   */
  constructor({pane, fetch, play, togglePlayed, isWide}) {
    Object.assign(this, {pane, fetch, play, togglePlayed, isWide});
    const $ = (name) => pane.querySelector(`.${name}`);
    this.parts = Object.fromEntries(["about", "artwork", "name", "where", "chapters", "notes",
      "play", "toggle", "page", "nothing"].map((name) => [name, $(name)]));
    $("close").addEventListener("click", () => this.toggle(false));
    this.parts.play.addEventListener("click", () => this.play(this.current));
    this.parts.toggle.addEventListener("click", () => this.togglePlayed(this.current.id));
    this.parts.artwork.addEventListener("error", () => { this.parts.artwork.hidden = true; });
    pane.addEventListener("toggle", ({newState}) => {
      if (newState === "closed" && !this.isWide()) this.#isRequested = false;
    });
  }

  get isOpen() {
    return this.isWide() ? !this.pane.hidden : this.pane.matches(":popover-open");
  }

  /** Shows or hides the pane. */
  toggle(isOpen = !this.isOpen) {
    this.#isRequested = isOpen;
    this.pane.hidden = !isOpen;
    if (this.isWide() || !isOpen) {
      if (this.pane.matches(":popover-open")) this.pane.hidePopover();
    } else if (isOpen) {
      this.pane.showPopover();
    }
    this.#load(0);
  }

  /** Moves the pane beside the list or above it, after the width of the window has changed. */
  adapt() {
    this.toggle(this.#isRequested && this.isWide());
  }

  /** Shows another row. */
  select(id) {
    if (id === this.#id) return;
    this.#id = id;
    this.#load(patience);
  }

  /** Reads the details again if a change concerns them. */
  update(records) {
    const record = records.find(({id}) => id === this.#id);
    if (!record) return;
    if (record.to === undefined) this.#show(null);
    else this.#load(0, true);
  }

  /** Returns the details of an episode. */
  read(id) {
    return this.fetch(`episodes/${encodeURIComponent(id)}`);
  }

  /** Returns the chapters of an episode, which may be in another document. */
  chapters({id, chapters, hasChapterDocument}) {
    if (!hasChapterDocument) return Promise.resolve(chapters ?? []);
    let request = this.#chapterRequests.get(id);
    if (!request) {
      request = this.fetch(`episodes/${encodeURIComponent(id)}/chapters`)
        .then((answer) => answer.chapters, () => []);
      this.#chapterRequests.set(id, request);
    }
    return request;
  }

  #load(delay, isAgain = false) {
    clearTimeout(this.#request);
    if (!this.isOpen) return;
    const id = this.#id;
    if (id === undefined) return this.#show(null);
    if (id === this.current?.id && !isAgain) return;
    this.#request = setTimeout(async () => {
      const details = await this.read(id).catch(() => null);
      if (id !== this.#id) return;
      this.#show(details);
      if (!details) return;
      const chapters = await this.chapters(details);
      if (this.current === details) this.#showChapters(chapters);
    }, delay);
  }

  #show(details) {
    const {parts} = this;
    const isSame = details?.id === this.current?.id;
    this.current = details;
    this.pane.dataset.id = details?.id ?? "";
    parts.about.hidden = !details;
    parts.nothing.hidden = Boolean(details);
    if (!details) return;
    const picture = webAddress(details.imageURL);
    parts.artwork.hidden = !picture?.startsWith("https:");
    if (!parts.artwork.hidden) parts.artwork.src = picture;
    else parts.artwork.removeAttribute("src");
    parts.name.textContent = details.title || "Untitled";
    const date = details.publishedAt ? dates.format(new Date(details.publishedAt)) : "";
    const length = time(details.duration);
    parts.where.textContent = [details.podcast, date, length, details.kind === "paid" ? "Paid" : ""]
      .filter((text) => text).join(" · ");
    parts.play.hidden = !webAddress(details.audioURL);
    parts.play.lastElementChild.textContent
      = details.position > 0 ? `Continue at ${time(details.position)}` : "Play";
    parts.toggle.ariaPressed = `${details.isPlayed}`;
    parts.toggle.lastElementChild.textContent = details.isPlayed ? "Played" : "Mark as played";
    const page = webAddress(details.url);
    parts.page.hidden = !page;
    if (page) parts.page.href = page;
    parts.notes.replaceChildren(...details.notes.map(makeNode));
    if (details.notes.length === 0) parts.notes.textContent = "No show notes";
    if (!isSame) {
      this.#showChapters([]);
      this.pane.scrollTop = 0;
    }
  }

  #showChapters(chapters) {
    const {parts, current} = this;
    parts.chapters.hidden = chapters.length === 0;
    parts.chapters.lastElementChild.replaceChildren(...chapters.map(({startTime, title}) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      const [clock, name] = [document.createElement("span"), document.createElement("span")];
      clock.className = "clock";
      clock.textContent = time(startTime);
      name.dir = "auto";
      name.textContent = title ?? "Untitled";
      button.append(clock, name);
      button.disabled = parts.play.hidden;
      button.addEventListener("click", () => this.play(current, startTime));
      item.append(button);
      return item;
    }));
  }
}

/** Makes the element or the text of a node of show notes. */
function makeNode({element, text, address, children = []}) {
  if (!elements.has(element)) return document.createTextNode(text ?? "");
  const node = document.createElement(element);
  if (element === "a") {
    const url = URL.parse(address);
    if (url && /^(https?|mailto):$/.test(url.protocol)) node.href = url.href;
    node.target = "_blank";
    node.rel = "noopener noreferrer";
  }
  if (["p", "li", "div", "h3", "blockquote"].includes(element)) node.dir = "auto";
  node.append(...children.map(makeNode));
  return node;
}
