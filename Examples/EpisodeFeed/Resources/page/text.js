// How values are shown.

export const numbers = new Intl.NumberFormat();
export const dates = new Intl.DateTimeFormat(undefined, {dateStyle: "medium"});

/** Settings of this browser. They are lost with the page if it does not allow storage. */
export const settings = {
  get(name) {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(name, value);
    } catch {
      // The setting lasts as long as the page.
    }
  },
};

/** A length of time, such as `1:02:03`. */
export function time(seconds) {
  if (!(seconds >= 0)) return "";
  const whole = Math.round(seconds);
  const digits = (number) => `${number}`.padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return (hours > 0 ? `${hours}:${digits(minutes)}` : `${minutes}`) + `:${digits(whole % 60)}`;
}

/** The episodes among a number of episodes that are not played, such as `12 not played, 4:30:00`. */
export function unplayedText(unplayed, all) {
  if (!unplayed) return "";
  const isPart = unplayed.count > 0 && unplayed.count < all;
  return [
    isPart && `${numbers.format(unplayed.count)} not played`,
    unplayed.seconds > 0 && time(unplayed.seconds),
  ].filter((text) => text).join(", ");
}

/** The address of a web page; undefined for other schemes, such as `javascript:`. */
export function webAddress(text) {
  const url = text && URL.parse(text);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/**
 * Loads a picture in an `img` element, and hides the element without one. Only addresses with
 * `https` are loaded.
 */
export function showPicture(image, address) {
  const url = webAddress(address);
  image.hidden = !url?.startsWith("https:");
  if (image.hidden) {
    image.removeAttribute("src");
  } else if (image.src !== url) {
    image.classList.remove("is-loaded");
    image.src = url;
  }
}
