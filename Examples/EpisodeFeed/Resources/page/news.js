// What has changed without a command of this tab: the numbers of changes of the last
// seconds, the marks of rows, and the announcements for screen readers.

import {numbers} from "./text.js";

/** The time for which the numbers of changes are shown, and for which a command is remembered. */
const duration = 5000;

export class News {
  /** The commands of the last seconds by row: `{keys}`, null for all keys. */
  #own = new Map();
  /** The changes that arrived while a command runs whose row is not known. */
  #held = [];
  #commands = 0;
  #totals = {new: 0, moved: 0, changed: 0, deleted: 0};
  #end = 0;
  #above = 0;
  #announcement = 0;

  constructor({view, badges, above, announcer}) {
    Object.assign(this, {view, badges, above, announcer});
    view.grid.addEventListener(
      "scroll", () => { if (this.#above > 0) this.#showAbove(0); }, {passive: true});
  }

  /** Expects the change of a command: it is not news. */
  expect(id, keys = null) {
    const command = {keys};
    this.#own.set(id, command);
    setTimeout(() => { if (this.#own.get(id) === command) this.#own.delete(id); }, duration);
  }

  /** Forgets a command that has failed. */
  forget(id) {
    this.#own.delete(id);
  }

  /**
   * Runs a command whose row is known only from its answer, `{id}`. What changes
   * meanwhile is shown afterwards.
   */
  async hold(command) {
    this.#commands += 1;
    try {
      const answer = await command();
      if (answer.id !== undefined) this.expect(answer.id);
      return answer;
    } finally {
      this.#commands -= 1;
      if (this.#commands === 0) this.add(this.#held.splice(0));
    }
  }

  /** Shows what a change has changed, given its records. */
  add(records) {
    const [first] = this.view.visible;
    for (const record of records) record.isAbove ??= record.from === undefined && record.to < first;
    if (this.#commands > 0) this.#held.push(...records);
    else this.#show(records.filter((record) => !this.#isOwn(record)));
  }

  #isOwn({id, from, to, keys}) {
    const own = this.#own.get(id);
    if (!own?.keys) return own !== undefined;
    // A row can enter or leave the list, which may have only episodes that are not played.
    return from === undefined || to === undefined || keys.every((key) => own.keys.includes(key));
  }

  #show(records) {
    if (records.length === 0) return;
    const totals = this.#totals;
    for (const {from, to, move, keys} of records) {
      if (to === undefined) totals.deleted += 1;
      else if (from === undefined) totals.new += 1;
      else if (move) totals.moved += 1;
      if (from !== undefined && to !== undefined && keys.length > 0) totals.changed += 1;
    }
    this.view.mark(records);
    const parts = Object.entries(totals).filter(([, number]) => number > 0);
    this.badges.replaceChildren(...parts.map(([kind, number]) => {
      const badge = document.createElement("span");
      badge.className = "badge";
      badge.dataset.mark = kind;
      badge.textContent = `${numbers.format(number)} ${kind}`;
      return badge;
    }));
    this.#showAbove(records.filter((record) => record.isAbove).length);
    this.announce(parts.map(([kind, number]) => `${number} ${kind}`).join(", "));
    clearTimeout(this.#end);
    this.#end = setTimeout(() => this.clear(), duration);
  }

  /** Removes the numbers. */
  clear() {
    for (const kind in this.#totals) this.#totals[kind] = 0;
    this.badges.replaceChildren();
  }

  /** Shows how many episodes are new above the viewport. */
  #showAbove(number) {
    this.#above = this.view.isAtStart ? 0 : this.#above + number;
    this.above.hidden = this.#above === 0;
    this.above.lastElementChild.textContent = `${numbers.format(this.#above)} new`;
  }

  /** Announces a text to screen readers, at most once a second. */
  announce(text) {
    clearTimeout(this.#announcement);
    this.#announcement = setTimeout(() => { this.announcer.textContent = text; }, 1000);
  }
}
