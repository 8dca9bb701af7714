// The player of recordings.

import {settings, showPicture, time, webAddress} from "./text.js";

/** The seconds between two times at which the position is saved. */
const saveInterval = 10;
const stepBack = 15;
const stepForward = 30;
const speeds = [.75, 1, 1.25, 1.5, 1.75, 2];

export class Player {
  /** The details of the episode; null without one. */
  current = null;
  #chapters = [];
  #saved = 0;
  #isSeeking = false;

  /**
   * `save(details, seconds, isLast)` remembers the position, `finish(details)` marks an episode
   * as played, `chapters(details)` returns the chapters, `reveal(id)` shows the episode in the
   * list, and `report(message)` shows an error. `leave()` moves the focus to the list.
   */
  constructor({bar, save, finish, chapters, reveal, report, leave}) {
    Object.assign(this, {bar, save, finish, chapters, reveal, report, leave});
    const part = (name) => bar.querySelector(`.${name}`);
    this.audio = bar.querySelector("audio");
    this.parts = Object.fromEntries([
      "play", "seek", "elapsed", "remaining", "what", "speed", "artwork"]
      .map((name) => [name, part(name)]));
    part("play").addEventListener("click", () => this.toggle());
    part("back").addEventListener("click", () => this.goBack());
    part("forward").addEventListener("click", () => this.goForward());
    part("close").addEventListener("click", () => this.close());
    this.parts.what.addEventListener("click", () => this.reveal(this.current.id));
    this.parts.artwork.addEventListener("error", () => showPicture(this.parts.artwork));
    this.#addSpeed();
    this.#addSeek();
    this.#addAudio();
    this.#addMediaKeys();
    addEventListener("pagehide", () => this.#save(true));
  }

  get isOpen() {
    return this.current !== null;
  }

  get #length() {
    const {duration} = this.audio;
    return Number.isFinite(duration) ? duration : this.current?.duration ?? 0;
  }

  /** Plays an episode, from a position or from where the user has stopped. */
  async play(details, seconds) {
    const url = webAddress(details.audioURL);
    if (!url) return this.report("The episode has no recording.");
    if (details.id !== this.current?.id) {
      this.#save();
      this.current = details;
      this.#chapters = [];
      this.audio.src = url;
      this.#start(seconds ?? details.position ?? 0);
      this.#show();
      this.chapters(details).then((chapters) => {
        if (this.current === details) this.#chapters = chapters;
      });
    } else if (this.audio.error) {
      const position = seconds ?? this.current.position ?? 0;
      this.audio.src = url;
      this.#start(position);
    } else if (seconds !== undefined) {
      this.#start(seconds);
    }
    this.audio.playbackRate = Number(this.parts.speed.value);
    try {
      await this.audio.play();
    } catch (error) {
      // The audio reports other errors itself.
      if (error.name === "NotAllowedError" && this.current === details) {
        this.report("The browser plays audio only after a click.");
      }
    }
  }

  toggle() {
    if (!this.isOpen) return;
    if (this.audio.paused) this.play(this.current);
    else this.audio.pause();
  }

  /** Moves back by a number of seconds. */
  goBack(seconds = stepBack) {
    if (this.isOpen) this.#seek(this.audio.currentTime - seconds);
  }

  /** Moves forward by a number of seconds. */
  goForward(seconds = stepForward) {
    if (this.isOpen) this.#seek(this.audio.currentTime + seconds);
  }

  /** Chooses the next speed in a direction. */
  changeSpeed(direction) {
    const index = speeds.indexOf(Number(this.parts.speed.value)) + direction;
    if (!this.isOpen || !(index in speeds)) return;
    this.parts.speed.value = `${speeds[index]}`;
    this.#applySpeed();
  }

  close() {
    this.#save();
    this.current = null;
    this.audio.removeAttribute("src");
    this.audio.load();
    const hadFocus = this.bar.contains(document.activeElement);
    this.bar.hidden = true;
    if (hadFocus) this.leave();
    if (!navigator.mediaSession) return;
    navigator.mediaSession.metadata = null;
    navigator.mediaSession.playbackState = "none";
  }

  #start(seconds) {
    this.#saved = seconds;
    // Before the metadata has arrived, the time is where playback begins.
    this.audio.currentTime = seconds;
    this.#showTime();
  }

  #seek(seconds) {
    const length = this.#length;
    this.audio.currentTime = Math.max(0, length > 0 ? Math.min(seconds, length) : seconds);
  }

  #save(isLast = false) {
    if (!this.isOpen || this.audio.ended) return;
    const seconds = Math.floor(this.audio.currentTime);
    if (seconds === Math.floor(this.#saved)) return;
    this.#saved = seconds;
    this.current.position = seconds;
    this.save(this.current, seconds, isLast);
  }

  #show() {
    const {parts, current} = this;
    this.bar.hidden = false;
    const title = current.title || "Untitled";
    parts.what.firstElementChild.textContent = title;
    parts.what.title = title;
    showPicture(parts.artwork, current.imageURL);
    if (!navigator.mediaSession) return;
    const picture = webAddress(current.imageURL);
    navigator.mediaSession.metadata = new MediaMetadata({
      title, artist: current.podcast, artwork: picture ? [{src: picture}] : [],
    });
  }

  #showTime() {
    const {parts, audio} = this;
    if (!this.isOpen) return;
    const length = this.#length;
    const position = this.#isSeeking ? Number(parts.seek.value) : audio.currentTime;
    parts.seek.max = `${Math.max(1, Math.floor(length))}`;
    if (!this.#isSeeking) parts.seek.value = `${Math.floor(position)}`;
    parts.seek.ariaValueText = `${time(position)} of ${time(length)}`;
    parts.elapsed.textContent = time(position);
    parts.remaining.textContent = length > 0 ? `−${time(Math.max(0, length - position))}` : "";
    const chapter = this.#chapters.findLast(({startTime}) => startTime <= position)?.title;
    parts.what.lastElementChild.textContent = chapter ?? this.current.podcast;
    if (length > 0 && audio.currentTime <= length) {
      navigator.mediaSession?.setPositionState?.({
        duration: length, position: audio.currentTime, playbackRate: audio.playbackRate,
      });
    }
  }

  #showState() {
    const isPlaying = !this.audio.paused;
    this.bar.dataset.state = isPlaying ? "playing" : "paused";
    this.parts.play.ariaLabel = isPlaying ? "Pause" : "Play";
    this.parts.play.title = isPlaying ? "Pause (P)" : "Play (P)";
    if (navigator.mediaSession) {
      navigator.mediaSession.playbackState = isPlaying ? "playing" : "paused";
    }
  }

  #addSpeed() {
    const {speed} = this.parts;
    for (const value of speeds) speed.append(new Option(`${value}×`, `${value}`));
    speed.value = settings.get("speed") ?? "1";
    if (speed.selectedIndex < 0) speed.value = "1";
    speed.addEventListener("change", () => this.#applySpeed());
  }

  #applySpeed() {
    this.audio.playbackRate = Number(this.parts.speed.value);
    settings.set("speed", this.parts.speed.value);
  }

  #addSeek() {
    const {seek} = this.parts;
    seek.addEventListener("input", () => {
      this.#isSeeking = true;
      this.#showTime();
    });
    seek.addEventListener("change", () => {
      this.#isSeeking = false;
      this.#seek(Number(seek.value));
    });
  }

  #addAudio() {
    const {audio} = this;
    audio.addEventListener("timeupdate", () => {
      this.#showTime();
      if (Math.abs(audio.currentTime - this.#saved) >= saveInterval) this.#save();
    });
    for (const name of ["play", "pause"]) {
      audio.addEventListener(name, () => this.#showState());
    }
    for (const name of ["pause", "seeked"]) audio.addEventListener(name, () => this.#save());
    for (const name of ["loadedmetadata", "durationchange"]) {
      audio.addEventListener(name, () => this.#showTime());
    }
    audio.addEventListener("ended", () => {
      const {current} = this;
      current.position = 0;
      this.#saved = 0;
      this.save(current, 0);
      this.finish(current);
    });
    audio.addEventListener("error", () => {
      if (this.isOpen && audio.hasAttribute("src")) {
        this.report("The recording cannot be played.");
      }
    });
  }

  #addMediaKeys() {
    const actions = {
      play: () => this.play(this.current),
      pause: () => this.audio.pause(),
      stop: () => this.close(),
      seekbackward: ({seekOffset}) => this.goBack(seekOffset ?? undefined),
      seekforward: ({seekOffset}) => this.goForward(seekOffset ?? undefined),
      seekto: ({seekTime}) => this.#seek(seekTime),
    };
    for (const [name, action] of Object.entries(actions)) {
      navigator.mediaSession?.setActionHandler(name, (event) => this.isOpen && action(event));
    }
  }
}
