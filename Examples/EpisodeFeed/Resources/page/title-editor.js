// Editing the title of a row in place.

/** The maximum number of characters of a title, which the server checks, too. */
const titleLimit = 500;

export class TitleEditor {
  /**
   * `fill(node, row)` writes the values of a row into its node. `save(row, title, was)`
   * saves a title, and returns the error, if any. `report(message)` shows an error.
   */
  constructor({view, fill, save, report}) {
    Object.assign(this, {view, fill, save, report});
  }

  /** Shows a text field in place of the title. */
  begin(row) {
    const {view} = this;
    if (!row || view.editing?.id === row.id) return;
    if (row.episode.titleIsCut) return this.report("The title is too long to edit here.");
    this.end();
    view.select(row.position);
    const node = view.node(row.id);
    if (!node) return;
    const input = document.createElement("input");
    input.value = row.episode.title;
    input.ariaLabel = "Title";
    input.dir = "auto";
    const editing = view.editing = {id: row.id, input, was: row.episode.title};
    node.querySelector(".title").replaceChildren(input);
    node.classList.add("is-editing");
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter" && !event.isComposing) this.#save(editing);
      if (event.key === "Escape") this.end();
    });
    // After an error, only Enter saves again.
    input.addEventListener("blur", () => { if (!editing.hasFailed) this.#save(editing); });
    input.focus();
    input.select();
  }

  /**
   * Saves the title. An error leaves the field open. After a conflict, the next attempt
   * overwrites the title that the message has shown.
   */
  async #save(editing) {
    const {view} = this;
    const {id, input, was} = editing;
    if (view.editing !== editing || editing.isSaving) return;
    const row = view.model.rows.get(id);
    if (!row || input.value === was) return this.end();
    const length = [...input.value].length;
    if (length > titleLimit) {
      editing.hasFailed = true;
      return this.report(
        `The title has ${length} characters, and at most ${titleLimit} are allowed.`);
    }
    editing.isSaving = true;
    input.readOnly = true;
    const error = await this.save(row, input.value, was);
    if (view.editing !== editing) return;
    if (!error) return this.end();
    Object.assign(editing, {isSaving: false, hasFailed: true});
    if (error.current?.title !== undefined) editing.was = error.current.title;
    input.readOnly = false;
    input.focus();
  }

  /** Shows the title again. */
  end(message) {
    const {view} = this;
    const {id, input} = view.editing ?? {};
    if (id === undefined) return;
    const isFocused = input.contains(document.activeElement)
      || document.activeElement === document.body;
    view.editing = null;
    const [node, row] = [view.node(id), view.model.rows.get(id)];
    node?.classList.remove("is-editing");
    if (node && row) this.fill(node, row);
    if (isFocused) view.grid.focus({preventScroll: true});
    if (message) this.report(message);
  }
}
