// The pane with the show notes and the chapters of the selected episode.

import {dates, settings, showPicture, time, webAddress} from "./text.js";

/** The elements of show notes. The server sends no others. */
const elements = new Set(["div", "p", "blockquote", "pre", "h3", "ul", "ol", "li", "hr", "a",
  "strong", "em", "s", "sub", "sup", "code", "br"]);

/** The delay before the details of a selected row are requested, in milliseconds. */
const loadDelay = 120;

export class Details {
  /** The details that the pane shows, or null. */
  current = null;
  #id;
  /** Whether a wide window shows the pane. */
  #isWanted = settings.get("details") === "shown";
  #request = 0;
  #chapterRequests = new Map();

  /**
   * `fetch(method, path)` returns an answer of the server. `play(details, seconds)` plays an
   * episode, and `togglePlayed(details)` marks it. `isWide()` returns whether the pane is next
   * to the list, not over it. `leave()` moves the focus to the list. `button` shows the pane.
   */
  constructor({pane, button, fetch, play, togglePlayed, isWide, leave}) {
    Object.assign(this, {pane, button, fetch, play, togglePlayed, isWide, leave});
    const $ = (name) => pane.querySelector(`.${name}`);
    this.parts = Object.fromEntries(["about", "artwork", "name", "facts", "chapters", "notes",
      "play", "toggle", "page", "message"].map((name) => [name, $(name)]));
    button.addEventListener("click", () => this.toggle());
    $("close").addEventListener("click", () => this.toggle(false));
    this.parts.play.addEventListener("click", () => this.play(this.current));
    this.parts.toggle.addEventListener("click", () => this.togglePlayed(this.current));
    this.parts.artwork.addEventListener("error", () => showPicture(this.parts.artwork));
    pane.addEventListener("toggle", () => { button.ariaExpanded = `${this.isOpen}`; });
  }

  get isOpen() {
    return this.isWide() ? !this.pane.hidden : this.pane.matches(":popover-open");
  }

  /** Shows or hides the pane. */
  toggle(isOpen = !this.isOpen) {
    if (this.isWide()) {
      this.#isWanted = isOpen;
      settings.set("details", isOpen ? "shown" : "hidden");
    }
    this.#setOpen(isOpen);
  }

  /** Moves the pane after the width of the window has changed. */
  adapt() {
    this.#setOpen(this.isWide() && this.#isWanted);
  }

  #setOpen(isOpen) {
    const {pane} = this;
    const hadFocus = pane.contains(document.activeElement);
    if (pane.matches(":popover-open")) pane.hidePopover();
    pane.hidden = !isOpen;
    if (isOpen && !this.isWide()) pane.showPopover();
    this.button.ariaExpanded = `${isOpen}`;
    if (!isOpen && hadFocus) this.leave();
    this.reload();
  }

  /** Shows another row. */
  select(id) {
    if (id === this.#id) return;
    this.#id = id;
    this.#load(loadDelay);
  }

  /** Reads the details again if a change concerns them. */
  update(records) {
    if (records.some(({id}) => id === this.#id)) this.reload();
  }

  /** Reads the details again. */
  reload() {
    this.#load(0);
  }

  /** Shows where the user stopped listening. */
  showPosition({id}, seconds) {
    if (id !== this.current?.id) return;
    this.current.position = seconds;
    this.#showPlay();
  }

  /** Returns the details of an episode. */
  read(id) {
    return this.fetch("GET", `episodes/${encodeURIComponent(id)}`);
  }

  /** Returns the chapters of an episode, which may be in another document. */
  chapters({id, podcast, episode, chapters, hasChapterDocument}) {
    if (!hasChapterDocument) return Promise.resolve(chapters ?? []);
    const key = JSON.stringify([podcast, episode]);
    const known = this.#chapterRequests.get(key);
    if (known) return known;
    const request = this.fetch("POST", `episodes/${encodeURIComponent(id)}/chapters`).then(
      (answer) => answer.chapters,
      () => {
        this.#chapterRequests.delete(key);
        return [];
      });
    this.#chapterRequests.set(key, request);
    return request;
  }

  #load(delay) {
    clearTimeout(this.#request);
    if (!this.isOpen) return;
    const id = this.#id;
    if (id === undefined) return this.#show(null);
    this.#request = setTimeout(async () => {
      let details = null;
      let problem;
      try {
        details = await this.read(id);
      } catch (error) {
        problem = error.code ? error.message : "The server is not reachable.";
      }
      if (id !== this.#id) return;
      this.#show(details, problem);
      if (!details) return;
      const chapters = await this.chapters(details);
      if (this.current === details) this.#showChapters(chapters);
    }, delay);
  }

  #show(details, problem = "Select an episode to see its show notes.") {
    const {parts} = this;
    const isSame = details?.id === this.current?.id;
    this.current = details;
    this.pane.dataset.id = details?.id ?? "";
    parts.about.hidden = !details;
    parts.message.hidden = Boolean(details);
    parts.message.textContent = problem;
    if (!details) return;
    showPicture(parts.artwork, details.imageURL);
    parts.name.textContent = details.title || "Untitled";
    const date = details.publishedAt ? dates.format(new Date(details.publishedAt)) : "";
    const length = time(details.duration);
    parts.facts.textContent = [details.podcast, date, length, details.kind === "paid" ? "Paid" : ""]
      .filter((text) => text).join(" · ");
    this.#showPlay();
    parts.toggle.ariaPressed = `${details.isPlayed}`;
    parts.toggle.lastElementChild.textContent = details.isPlayed ? "Played" : "Mark as played";
    const page = webAddress(details.url);
    parts.page.hidden = !page;
    if (page) parts.page.href = page;
    fill(parts.notes, details.notes);
    if (details.notes.length === 0) parts.notes.textContent = "No show notes";
    if (!isSame) {
      this.#showChapters([]);
      this.pane.scrollTop = 0;
    }
  }

  #showPlay() {
    const {play} = this.parts;
    const {audioURL, position} = this.current;
    play.hidden = !webAddress(audioURL);
    play.lastElementChild.textContent = position > 0 ? `Continue at ${time(position)}` : "Play";
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
  fill(node, children);
  return node;
}

/** Replaces the content of an element. */
function fill(element, nodes) {
  element.replaceChildren();
  // Not all at once: a call has at most some ten thousand arguments.
  for (const node of nodes) element.append(makeNode(node));
}
