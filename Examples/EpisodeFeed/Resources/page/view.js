// Shows the rows near the viewport, and animates changes.
//
// All rows have the same height, so the offset of each row is known without
// rendering it. A row has one DOM node as long as it is near the viewport. The
// node travels when the row moves, also into another section. `transform` has
// the offset of a row, and animations use `translate` in addition to it.

import {LookAhead, pause} from "./look-ahead.js";

/** The height of the list is limited, because Firefox limits elements to 17.9 million pixels. */
const maximumHeight = 17_000_000;

const moving = {duration: 420, easing: "cubic-bezier(.2, .7, .2, 1)"};
const entering = {duration: 320, easing: "cubic-bezier(.2, .7, .2, 1)"};
const leaving = {duration: 240, easing: "ease-in", fill: "forwards"};
const markDuration = 5000;

/** The maximum number of requests for rows at a time. */
const requestLimit = 2;

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** The elements of a row that show a key. */
const elements = {
  title: ".title", summary: ".summary", isPlayed: ".toggle", publishedAt: ".date",
  duration: ".duration", podcast: ".podcast", kind: ".paid",
};

export class ListView {
  /** The position of the selected row, or -1. */
  active = -1;
  /** The row that is being edited: `{id, input}`. */
  editing = null;

  #nodes = new Map();
  #frames = new Map();
  #marks = new Map();
  #placeholders = [];
  /** The offset of the list at the top of the viewport. */
  #top = 0;
  /** The difference between `scrollTop` and this offset. Zero unless scrolling is scaled. */
  #shift = 0;
  #scheduled = false;
  #lookAhead = new LookAhead();
  #stillness = 0;
  #sorting = 0;

  /**
   * `fill(node, row)` writes the values of a row into its node. `need(from,
   * count)` requests rows, unless too many requests run.
   */
  constructor({grid, canvas, model, fill, fillSection, need}) {
    Object.assign(this, {grid, canvas, model, fill, fillSection, need});
    this.rowTemplate = document.getElementById("row").content.firstElementChild;
    this.sectionTemplate = document.getElementById("section").content.firstElementChild;
    grid.addEventListener("scroll", () => this.#scroll(), {passive: true});
    new ResizeObserver(() => this.resize()).observe(grid);
    this.resize();
  }

  /** Reads the heights of the grid, and of rows, which depend on the width. */
  resize() {
    this.height = this.grid.clientHeight;
    const style = getComputedStyle(this.grid);
    this.rowHeight = parseFloat(style.getPropertyValue("--row-height"));
    this.headerHeight = parseFloat(style.getPropertyValue("--header-height"));
    this.render();
  }

  /** Renders before the next frame. */
  schedule() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      this.render();
    });
  }

  #scroll() {
    this.schedule();
    clearTimeout(this.#stillness);
    this.#stillness = setTimeout(() => this.schedule(), pause + 20);
  }

  /** The node of a row, if the row is near the viewport. */
  node(id) {
    return this.#nodes.get(id);
  }

  /** Whether the list is scrolled to its start. */
  get isAtStart() {
    return this.#top < 1;
  }

  /** The first and the last position in the viewport. */
  get visible() {
    return this.#range(this.#top, this.#top + this.height);
  }

  /** Renders the rows near the viewport, and returns the nodes that are no longer near it. */
  render(removes = true) {
    const {grid, model, height} = this;
    const total = this.#offset(model.count);
    const canvasHeight = this.#setCanvasHeight(total);
    const {scrollTop} = grid;
    this.#ratio = canvasHeight > height ? (total - height) / (canvasHeight - height) : 1;
    this.#top = Math.max(0, Math.min(scrollTop * this.#ratio, total - height));
    this.#shift = scrollTop - this.#top;
    this.#lookAhead.follow(this.#top, height, performance.now());

    const [first, last] = this.#range(this.#top - height, this.#top + 2 * height);
    const [shown, missing] = [new Set(), []];
    for (let position = first; position <= last; position++) {
      const row = model.positions.get(position);
      if (row) shown.add(this.#show(row));
      else missing.push(position);
    }
    const editing = this.editing && model.rows.get(this.editing.id);
    if (editing) shown.add(this.#show(editing));
    this.#showSections(first, last);
    this.#showPlaceholders(missing);

    const dropped = [...this.#nodes.values()].filter((node) => !shown.has(node));
    for (const node of dropped) {
      this.#nodes.delete(node.row.id);
      if (removes) node.remove();
    }
    this.#activate();
    this.#request();
    model.trim((first + last) / 2);
    return dropped;
  }

  /** Applies a change to the model, and shows it as one movement of all rows. */
  change(change) {
    const {model} = this;
    const before = new Map();
    for (const [id, node] of this.#nodes) before.set(id, this.#visualTop(node));
    const framesBefore = new Map();
    for (const [name, frame] of this.#frames) framesBefore.set(name, this.#visualTop(frame));
    const oldTop = this.#top;
    const oldOffset = this.#offsets(model.starts, model.isSectioned);
    const anchor = this.isAtStart ? null : this.#anchor(change);

    const {records, positionAfter} = model.apply(change);
    if (this.active >= 0) this.#followActive(positionAfter);
    const deleted = records.filter((record) => record.to === undefined)
      .map(({id}) => this.#take(id)).filter((node) => node);
    for (const {id, to} of records) if (to === undefined) this.#marks.delete(id);
    if (anchor) this.#restore(anchor, oldTop);
    const dropped = this.render(false);

    const byID = new Map(records.map((record) => [record.id, record]));
    for (const node of deleted) this.#leave(node, before.get(node.row.id));
    for (const node of dropped) {
      this.#depart(node, byID.get(node.row.id), before.get(node.row.id));
    }
    for (const [id, node] of this.#nodes) {
      const record = byID.get(id);
      const start = before.get(id)
        ?? (record?.move ? this.#clamp(oldOffset(record.from) - oldTop) : undefined);
      if (start !== undefined) this.#travel(node, start, record?.move);
      else if (record?.from === undefined && record) this.#enter(node);
      if (record && before.has(id)) this.#flash(node, record.keys);
    }
    for (const [name, frame] of this.#frames) {
      if (framesBefore.has(name)) this.#travel(frame, framesBefore.get(name), false);
      else this.#enter(frame);
    }
    this.#sortSoon();
    return records;
  }

  /** Shows another list, or the same list again. Rows that are in both travel. */
  open(list, isSame) {
    const before = new Map();
    for (const [id, node] of this.#nodes) before.set(id, this.#visualTop(node));
    const selected = this.#nodeAt(this.active)?.row.id;
    this.model.open(list);
    this.#marks.clear();
    this.active = this.model.rows.get(selected)?.position
      ?? Math.min(isSame ? this.active : 0, this.model.count - 1);
    if (!isSame) this.grid.scrollTop = 0;
    this.render();
    for (const [id, node] of this.#nodes) {
      if (before.has(id)) this.#travel(node, before.get(id), false);
    }
    this.#sortSoon();
  }

  /** Selects a row and scrolls to it. */
  select(position) {
    this.active = Math.max(-1, Math.min(position, this.model.count - 1));
    if (this.active < 0) return;
    const header = this.model.isSectioned ? this.headerHeight : 0;
    const offset = this.#offset(this.active);
    const {height} = this;
    if (offset - header < this.#top) this.scrollTo(offset - header);
    else if (offset + this.rowHeight > this.#top + height) {
      this.scrollTo(offset + this.rowHeight - height);
    }
    this.render();
  }

  /** Scrolls to an offset of the list. */
  scrollTo(offset) {
    this.grid.scrollTop = offset / this.#ratio;
  }

  // Offsets

  #ratio = 1;
  #canvasHeight = 0;

  /** A function that gives the offset of a row from its position. */
  #offsets(starts, isSectioned) {
    const {rowHeight, headerHeight} = this;
    if (!isSectioned) return (position) => position * rowHeight;
    return (position) => {
      let [low, high] = [0, starts.length - 2];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (starts[middle] <= position) low = middle;
        else high = middle - 1;
      }
      return (low + 1) * headerHeight + position * rowHeight;
    };
  }

  #offset(position) {
    const header = this.model.isSectioned ? this.headerHeight : 0;
    const headers = position < this.model.count
      ? this.model.section(position) + 1 : this.model.sections.length;
    return headers * header + position * this.rowHeight;
  }

  #sectionOffset(section) {
    return section * this.headerHeight + this.model.starts[section] * this.rowHeight;
  }

  /** The first and the last position between two offsets. */
  #range(from, to) {
    return this.model.count === 0 ? [0, -1] : [this.#position(from), this.#position(to)];
  }

  /** The position of the row at an offset, or of the nearest one. */
  #position(offset) {
    const {model, rowHeight, headerHeight} = this;
    const clamp = (row, count) => Math.max(0, Math.min(Math.floor(row), count - 1));
    if (!model.isSectioned) return clamp(offset / rowHeight, model.count);
    let [low, high] = [0, model.sections.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#sectionOffset(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    const row = (offset - this.#sectionOffset(low) - headerHeight) / rowHeight;
    return model.starts[low] + clamp(row, model.sections[low].count);
  }

  /** Limits an offset in the viewport to its edges. */
  #clamp(offset) {
    return Math.max(-1.2 * this.rowHeight,
      Math.min(offset, this.height + 0.2 * this.rowHeight));
  }

  /** The offset of a node in the viewport, also during an animation. */
  #visualTop(node) {
    const top = node.offset - this.#top;
    if (!node.travel || node.travel.playState !== "running") return top;
    return top + (parseFloat(getComputedStyle(node).translate.split(" ")[1]) || 0);
  }

  #setOffset(node, offset) {
    node.offset = offset;
    const y = offset + this.#shift;
    if (node.y === y) return;
    node.y = y;
    node.style.transform = `translateY(${y}px)`;
  }

  #setCanvasHeight(total) {
    const height = Math.min(total, maximumHeight);
    if (this.#canvasHeight !== height) this.canvas.style.height = `${height}px`;
    this.#canvasHeight = height;
    return height;
  }

  // Nodes

  #show(row) {
    let node = this.#nodes.get(row.id);
    if (!node) {
      node = this.rowTemplate.cloneNode(true);
      node.id = `row-${row.id}`;
      node.dataset.id = row.id;
      this.#nodes.set(row.id, node);
      this.canvas.append(node);
    }
    if (node.row !== row || node.episode !== row.episode) {
      Object.assign(node, {row, episode: row.episode});
      this.fill(node, row);
    }
    const mark = this.#marks.get(row.id);
    if (node.mark !== mark) this.#showMark(node, mark);
    const section = this.model.isSectioned ? this.model.section(row.position) + 1 : 0;
    const index = `${row.position + section + 1}`;
    if (node.ariaRowIndex !== index) node.ariaRowIndex = index;
    this.#setOffset(node, this.#offset(row.position));
    return node;
  }

  /** Shows the headers of the sections near the viewport. A header sticks to the top. */
  #showSections(first, last) {
    const {model} = this;
    this.grid.ariaRowCount = `${model.count + (model.isSectioned ? model.sections.length : 0)}`;
    const shown = new Set();
    const range = model.count > 0 && model.isSectioned
      ? [model.section(first), model.section(last)] : [0, -1];
    for (let section = range[0]; section <= range[1]; section++) {
      const {key, count} = model.sections[section];
      const name = JSON.stringify(key);
      let frame = this.#frames.get(name);
      if (!frame) {
        frame = this.sectionTemplate.cloneNode(true);
        this.#frames.set(name, frame);
        this.canvas.append(frame);
      }
      shown.add(name);
      this.fillSection(frame, model.sections[section]);
      frame.ariaRowIndex = `${model.starts[section] + section + 1}`;
      // Only the part near the viewport, whole rows above it.
      const start = this.#sectionOffset(section);
      const end = start + this.headerHeight + count * this.rowHeight;
      const above = Math.max(0, this.#top - 2 * this.height - start);
      const offset = start + Math.floor(above / this.rowHeight) * this.rowHeight;
      // Not `transform`, which the layout of sticky headers ignores.
      frame.offset = offset;
      frame.style.top = `${offset + this.#shift}px`;
      frame.style.height = `${Math.min(end - offset, 5 * this.height)}px`;
    }
    for (const [name, frame] of this.#frames) {
      if (shown.has(name)) continue;
      this.#frames.delete(name);
      frame.remove();
    }
  }

  /** Shows gray lines in the positions of rows that have not arrived. */
  #showPlaceholders(missing) {
    while (this.#placeholders.length > missing.length) this.#placeholders.pop().remove();
    while (this.#placeholders.length < missing.length) {
      const node = document.createElement("div");
      node.className = "row placeholder";
      node.ariaHidden = "true";
      this.#placeholders.push(node);
      this.canvas.append(node);
    }
    missing.forEach((position, index) => {
      this.#setOffset(this.#placeholders[index], this.#offset(position));
    });
  }

  /** Requests the rows that are missing near the viewport and in the direction of scrolling. */
  #request() {
    const {model} = this;
    if (model.count === 0) return;
    const {near, end} = this.#lookAhead.reach(this.#top, this.height);
    const [first, last, farthest] = [...near, end].map((offset) => this.#position(offset));
    for (let running = model.windows.size; running < requestLimit; running += 1) {
      const missing = model.missingRows(first, last, farthest);
      if (!missing) return;
      this.need(missing.from, missing.count);
    }
  }

  #nodeAt(position) {
    const row = this.model.positions.get(position);
    return row && this.#nodes.get(row.id);
  }

  /** Marks the selected row for the style sheet and for screen readers. */
  #activate() {
    const node = this.#nodeAt(this.active);
    if (this.activeNode !== node) {
      if (this.activeNode) this.activeNode.ariaSelected = "false";
      this.activeNode = node;
    }
    if (node) {
      node.ariaSelected = "true";
      this.grid.setAttribute("aria-activedescendant", node.id);
    } else {
      this.grid.removeAttribute("aria-activedescendant");
    }
  }

  #followActive(positionAfter) {
    const position = positionAfter(this.active);
    this.active = Math.min(position < 0 ? this.active : position, this.model.count - 1);
  }

  #take(id) {
    const node = this.#nodes.get(id);
    this.#nodes.delete(id);
    return node;
  }

  /** Sorts the nodes when nothing moves, because screen readers read them in order. */
  #sortSoon() {
    clearTimeout(this.#sorting);
    this.#sorting = setTimeout(() => {
      if (this.editing) return this.#sortSoon();
      const nodes = [...this.#nodes.values(), ...this.#frames.values()]
        .sort((a, b) => a.ariaRowIndex - b.ariaRowIndex);
      let next = this.canvas.firstElementChild;
      for (const node of nodes) {
        if (node === next) next = next.nextElementSibling;
        else this.canvas.insertBefore(node, next);
      }
    }, 600);
  }

  // Movement

  /** The first visible row that the change leaves in its position among its neighbors. */
  #anchor({changes}) {
    const leaves = new Set((changes.rows ?? [])
      .filter((row) => row.move || !row.new).map((row) => row.id));
    const header = this.model.isSectioned ? this.headerHeight : 0;
    const nodes = [...this.#nodes.values()]
      .filter((node) => node.offset >= this.#top + header && !leaves.has(node.row.id))
      .sort((a, b) => a.offset - b.offset);
    return nodes[0] && {row: nodes[0].row, top: nodes[0].offset - this.#top};
  }

  /** Scrolls so that a row has the same offset in the viewport as before. */
  #restore({row, top}, oldTop) {
    const newTop = this.#offset(row.position) - top;
    if (Math.abs(newTop - oldTop) < 0.5) return;
    this.#setCanvasHeight(this.#offset(this.model.count));
    this.scrollTo(newTop);
  }

  get #isStill() {
    return reducedMotion.matches || document.hidden;
  }

  #travel(node, start, isMove) {
    const distance = start - (node.offset - this.#top);
    node.travel?.cancel();
    node.travel = null;
    node.classList.remove("moving");
    if (this.#isStill || Math.abs(distance) < 0.5) return;
    if (Math.abs(distance) > 4 * this.height) return;
    if (isMove) node.classList.add("moving");
    const travel = node.animate({translate: [`0 ${distance}px`, "0 0"]}, moving);
    node.travel = travel;
    travel.onfinish = () => {
      if (node.travel !== travel) return;
      node.classList.remove("moving");
      node.travel = null;
    };
  }

  #enter(node) {
    if (this.#isStill) return;
    node.animate({opacity: [0, 1], translate: ["-24px 0", "0 0"]}, entering);
  }

  /** Collapses the node of a deleted row at its old offset. */
  #leave(node, start) {
    node.classList.remove("moving");
    this.#retire(node, start, {opacity: [1, 0], clipPath: ["inset(0)", "inset(0 0 100% 0)"]});
  }

  /** Moves the node of a row out of the viewport. */
  #depart(node, record, start) {
    if (!record?.move) return node.remove();
    const distance = this.#clamp(this.#offset(record.to) - this.#top) - start;
    node.classList.add("moving");
    this.#retire(node, start, {translate: ["0 0", `0 ${distance}px`]}, moving);
  }

  #retire(node, start, keyframes, timing = leaving) {
    node.travel?.cancel();
    node.removeAttribute("id");
    node.removeAttribute("aria-selected");
    node.ariaHidden = "true";
    node.classList.add("leaving");
    this.#setOffset(node, start + this.#top);
    if (this.#isStill) return node.remove();
    node.animate(keyframes, timing).onfinish = () => node.remove();
  }

  // Marks

  /** Marks the rows of records for some seconds. */
  mark(records) {
    for (const record of records) if (record.to !== undefined) this.#mark(record);
  }

  #mark({id, from, move, keys}) {
    const node = this.#nodes.get(id);
    const earlier = this.#marks.get(id);
    let text = from === undefined ? "New" : move ? "Moved" : "Changed";
    if (move && keys.length > 0) text = "Moved, changed";
    if (earlier?.text === "New") text = "New";
    const mark = {text, kind: text.split(",")[0].toLowerCase()};
    this.#marks.set(id, mark);
    if (node) this.#showMark(node, mark);
    setTimeout(() => {
      if (this.#marks.get(id) !== mark) return;
      this.#marks.delete(id);
      const node = this.#nodes.get(id);
      if (node) this.#showMark(node, undefined);
    }, markDuration);
  }

  #showMark(node, mark) {
    node.mark = mark;
    node.querySelector(".mark").textContent = mark?.text ?? "";
    if (mark) node.dataset.mark = mark.kind;
    else delete node.dataset.mark;
  }

  #flash(node, keys) {
    for (const key of keys) {
      node.querySelector(elements[key])?.animate(
        {backgroundColor: ["var(--flash)", "transparent"]}, {duration: 1600, easing: "ease-out"});
    }
  }
}
