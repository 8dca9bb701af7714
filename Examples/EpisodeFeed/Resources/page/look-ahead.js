// Decides which rows the page requests: those near the viewport, and those that
// scrolling reaches next.
//
// Scrolling has a velocity, in pixels per millisecond, which is negative toward the
// start of the list. While the list scrolls, only rows in its direction are
// requested: the faster it scrolls, the farther ahead.

/** The time in which scrolling reaches the farthest requested row, in milliseconds. */
const horizon = 600;
/** The time in which an answer usually arrives. */
const latency = 60;
/** The time without movement after which the list is still. */
export const pause = 150;
/** The duration of a frame. */
const frame = 1000 / 60;
/** A longer movement in a frame is a jump, in heights of the viewport. */
const jump = 10;

export class LookAhead {
  velocity = 0;
  #top = 0;
  #time = 0;

  /** Follows the offset of the viewport. */
  follow(top, height, time) {
    const [distance, elapsed] = [top - this.#top, time - this.#time];
    if (distance === 0) {
      if (elapsed > pause) this.velocity = 0;
      return;
    }
    const isFirst = elapsed > pause;
    const recent = distance / (isFirst ? frame : Math.max(elapsed, frame / 2));
    const isSteady = !isFirst && recent * this.velocity > 0;
    this.velocity = isSteady ? (this.velocity + recent) / 2 : recent;
    if (Math.abs(distance) > jump * height) this.velocity = 0;
    [this.#top, this.#time] = [top, time];
  }

  /**
   * The offsets of the rows to request. Rows between the offsets `near` are requested
   * when they are missing, together with those that follow until the offset `end`.
   * `near` is in the order of scrolling: its first offset is greater if the list scrolls
   * toward its start.
   */
  reach(top, height) {
    const bottom = top + height;
    if (this.velocity === 0) return {near: [top - height, bottom + height], end: bottom + height};
    const distance = Math.abs(this.velocity) * horizon;
    // The viewport may leave its rows before their values arrive.
    const passed = Math.abs(this.velocity) * latency;
    const start = passed > height ? passed : 0;
    const near = height + Math.max(height, distance / 2);
    const end = height + Math.max(3 * height, distance);
    return this.velocity > 0
      ? {near: [top + start, top + near], end: top + end}
      : {near: [bottom - start, bottom - near], end: bottom - end};
  }
}
