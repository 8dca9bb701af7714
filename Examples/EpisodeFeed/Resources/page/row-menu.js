// The menu with the commands of a row.

export class RowMenu {
  /**
   * `commands` are functions of a row, by the names in the document. `address(row)` is
   * the web page of a row, or undefined.
   */
  constructor({menu, view, commands, address}) {
    Object.assign(this, {menu, view, commands, address});
    this.id = undefined;
    menu.addEventListener("click", (event) => this.#choose(event));
    menu.addEventListener("keydown", (event) => this.#move(event));
    menu.addEventListener("toggle", ({newState}) => {
      if (newState === "open") this.#items[0].focus();
      else if (this.#hasFocus && !view.editing) view.grid.focus({preventScroll: true});
    });
    view.grid.addEventListener("scroll", () => menu.hidePopover(), {passive: true});
  }

  /**
   * Opens the menu next to the button of a row. `click` is the event of this button, which
   * toggles the menu.
   */
  open(row, click) {
    const node = row && this.view.node(row.id);
    if (!node) return;
    const isOpen = this.menu.matches(":popover-open");
    if (click && isOpen && this.id !== row.id) click.preventDefault();
    this.id = row.id;
    const link = this.menu.querySelector("a");
    this.menu.querySelector("[data-command=play]").hidden = !row.episode.hasAudio;
    const url = this.address(row);
    link.hidden = !url;
    if (url) link.href = url;
    else link.removeAttribute("href");
    if (!click && !isOpen) this.menu.showPopover();
    this.#place(node.querySelector(".more").getBoundingClientRect());
  }

  /** Closes the menu if its row was deleted. */
  update() {
    if (this.id !== undefined && !this.view.model.rows.has(this.id)) this.menu.hidePopover();
  }

  /** Whether the focus is in the list, or would be lost. */
  get #hasFocus() {
    const {activeElement} = document;
    return activeElement === document.body || this.view.grid.contains(activeElement);
  }

  get #items() {
    return [...this.menu.querySelectorAll("[role=menuitem]")].filter((item) => !item.hidden);
  }

  /** Below the button, or above it at the bottom of the viewport. */
  #place({top, bottom, right}) {
    const {style} = this.menu;
    style.right = `${Math.max(4, document.documentElement.clientWidth - right)}px`;
    const isBelow = bottom < innerHeight * .65;
    style.top = isBelow ? `${bottom}px` : "auto";
    style.bottom = isBelow ? "auto" : `${innerHeight - top}px`;
  }

  #choose(event) {
    const item = event.target.closest("[role=menuitem]");
    if (!item) return;
    const row = this.view.model.rows.get(this.id);
    this.menu.hidePopover();
    if (row) this.commands[item.dataset.command]?.(row);
  }

  #move(event) {
    const items = this.#items;
    const index = items.indexOf(document.activeElement);
    const next = {
      ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1,
    }[event.key];
    if (event.key === "Tab") this.menu.hidePopover();
    if (next === undefined) return;
    event.preventDefault();
    items.at(next % items.length).focus();
  }
}
