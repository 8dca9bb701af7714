// The part of the list that the page knows: the sections with their row counts,
// and the rows near the viewport.
//
// A position is the index of a row in the whole list. A path is the index of a
// section and the index of a row in it. Change sets have paths: `old` in the
// list before the change, `new` in the list after it.

/** Thrown if a change does not fit the list. The page then opens the list again. */
export class OutOfStep extends Error {}

/** The maximum number of known rows. The farthest rows are dropped first. */
const rowLimit = 4000;

/** The maximum number of rows in a window. */
const windowLimit = 200;

export class ListModel {
  version = "";
  /** The sections in order: `{key, count, unplayed}`. */
  sections = [];
  /** The position of the first row of each section, and the number of rows. */
  starts = [0];
  /** The known rows by row ID: `{id, position, episode}`. */
  rows = new Map();
  /** The known rows by position. */
  positions = new Map();
  /** The requested ranges of rows that have not arrived. */
  windows = new Set();

  get count() {
    return this.starts[this.sections.length];
  }

  /** Whether the list has section headers. */
  get isSectioned() {
    return !(this.sections.length === 1 && this.sections[0].key?.all);
  }

  /** Replaces the list. */
  open({version, sections, rows}) {
    this.version = version;
    this.#setSections(sections);
    this.rows.clear();
    this.positions.clear();
    this.windows.clear();
    rows.forEach(({id, episode}, position) => {
      // A row without values has been deleted since; a change follows.
      if (episode) this.#add({id, position, episode});
    });
  }

  /** The index of the section with a position. */
  section(position) {
    let [low, high] = [0, this.sections.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Marks a range of rows as requested. */
  startWindow(from, count) {
    const positions = Array.from({length: count}, (_, index) => from + index);
    const window = {version: this.version, from, positions, touched: new Set()};
    this.windows.add(window);
    return window;
  }

  /**
   * The rows to request next: `{from, count}`, or undefined if no row between two positions is
   * missing. They begin with the first missing row from `first` to `last`, and can continue until
   * `end`. Positions are in the order of scrolling, in either direction.
   */
  missingRows(first, last, end) {
    const requested = new Set([...this.windows].flatMap((window) => window.positions));
    const isMissing = (position) => !this.positions.has(position) && !requested.has(position);
    const step = end < first ? -1 : 1;
    let start = first;
    while (!isMissing(start)) {
      if (start === last) return undefined;
      start += step;
    }
    let final = start;
    for (let length = 1; length <= windowLimit; length += 1) {
      const position = start + step * (length - 1);
      if (requested.has(position)) break;
      if (isMissing(position)) final = position;
      if (position === end) break;
    }
    return {from: Math.min(start, final), count: Math.abs(final - start) + 1};
  }

  /**
   * Adds the rows of a window. Changes may have arrived since the request: they
   * have shifted the positions of the window, and rows that they touched are
   * newer than those of the answer.
   */
  finishWindow(window, rows = []) {
    if (!this.windows.delete(window)) return;
    rows.forEach(({id, episode}, index) => {
      const position = window.positions[index];
      if (position === undefined || position < 0 || !episode) return;
      if (window.touched.has(id) || this.rows.has(id)) return;
      this.#add({id, position, episode});
    });
  }

  /** Drops the rows that are farthest from a position. */
  trim(center) {
    if (this.rows.size <= rowLimit) return;
    const sorted = [...this.rows.values()].sort(
      (a, b) => Math.abs(a.position - center) - Math.abs(b.position - center));
    for (const row of sorted.slice(rowLimit / 2)) {
      this.rows.delete(row.id);
      this.positions.delete(row.position);
    }
  }

  /**
   * Applies a change.
   *
   * Rows without a record stay in order, so they fill the positions that the
   * records leave: the nth row without a record is the nth one afterwards.
   *
   * Returns the records with their positions: `{id, from, to, move, keys}`.
   * `from` is undefined for an inserted row, and `to` for a deleted one. Also
   * returns a function that gives the new position of any row.
   */
  apply({from, version, count, changes, episodes = [], summaries = []}) {
    if (from !== this.version) throw new OutOfStep(`change from ${from} at ${this.version}`);
    const oldStarts = this.starts;
    const records = (changes.rows ?? []).map((row) => ({
      id: row.id, old: row.old, new: row.new, move: row.move ?? false, keys: row.changed ?? [],
      from: row.old && this.#position(row.old),
    }));
    this.#setSections(this.#sectionsAfter(changes, summaries));
    if (this.count !== count) throw new OutOfStep(`${this.count} rows instead of ${count}`);
    for (const record of records) record.to = record.new && this.#position(record.new);

    const removed = records.filter((record) => record.from !== undefined)
      .sort((a, b) => a.from - b.from);
    const removedPositions = removed.map((record) => record.from);
    const gaps = records.filter((record) => record.to !== undefined)
      .map((record) => record.to).sort((a, b) => a - b)
      .map((position, index) => position - index);
    const positionAfter = (position) => {
      const before = countBelow(removedPositions, position);
      if (removedPositions[before] === position) return removed[before].to ?? -1;
      const gap = position - before;
      return gap + countBelow(gaps, gap + 1);
    };

    const rows = [...this.rows.values()];
    this.positions.clear();
    for (const row of rows) {
      row.position = positionAfter(row.position);
      if (row.position < 0) this.rows.delete(row.id);
      else this.positions.set(row.position, row);
    }
    for (const window of this.windows) {
      window.positions = window.positions.map((old) => (old < 0 ? old : positionAfter(old)));
      for (const record of records) {
        if (record.keys.length > 0 || record.to === undefined) window.touched.add(record.id);
      }
    }
    this.#update(records, new Map(episodes.map(({id, episode}) => [id, episode])));
    this.version = version;
    return {records, positionAfter, oldStarts};
  }

  /** Gives inserted and changed rows their values, or forgets rows whose values are missing. */
  #update(records, episodes) {
    for (const {id, to, from, keys} of records) {
      if (to === undefined) continue;
      const episode = episodes.get(id);
      const row = this.rows.get(id);
      if (episode && row) {
        row.episode = episode;
      } else if (episode) {
        this.#add({id, position: to, episode});
      } else if (row && (keys.length > 0 || from === undefined)) {
        this.rows.delete(id);
        this.positions.delete(to);
      }
    }
  }

  /** The sections after a change. Checks that the change fits the list. */
  #sectionsAfter(changes, summaries) {
    const sections = this.sections.map((section) => ({...section}));
    const add = (number, index) => {
      if (!sections[index]) throw new OutOfStep(`section ${index} does not exist`);
      sections[index].count += number;
    };
    const records = changes.sections ?? [];
    const rows = changes.rows ?? [];
    for (const {old, new: target, move} of rows) if (old && (move || !target)) add(-1, old[0]);
    for (const {delete: index} of records.filter((record) => "delete" in record).reverse()) {
      if (sections[index]?.count !== 0) throw new OutOfStep(`section ${index} is not empty`);
      sections.splice(index, 1);
    }
    for (const {insert: index, key} of records.filter((record) => "insert" in record)) {
      sections.splice(index, 0, {key, count: 0});
    }
    for (const {old, new: target, move} of rows) if (target && (move || !old)) add(1, target[0]);
    for (const {section, unplayed} of summaries) {
      if (!sections[section]) throw new OutOfStep(`section ${section} does not exist`);
      sections[section].unplayed = unplayed;
    }
    return sections;
  }

  #setSections(sections) {
    this.sections = sections;
    this.starts = [0];
    for (const {count} of sections) this.starts.push(this.starts.at(-1) + count);
  }

  #position([section, row]) {
    if (!this.sections[section] || row >= this.sections[section].count) {
      throw new OutOfStep(`row [${section}, ${row}] does not exist`);
    }
    return this.starts[section] + row;
  }

  #add(row) {
    this.rows.set(row.id, row);
    this.positions.set(row.position, row);
  }
}

/** The number of elements of a sorted array that are less than a value. */
function countBelow(array, value) {
  let [low, high] = [0, array.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (array[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
