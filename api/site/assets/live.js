/**
 * When a page whose figures follow the chain asks for itself again. It follows the stream of the events that change it, and asks soon after
 * each; what is no event (time alone, texts, the state of the service) it asks for at long intervals, and for everything at short ones
 * where it has no stream. docs/decisions/0040-proof-in-the-page.md.
 */
import { focusOn } from "./board.js";
import { change, isOfOtherRelease } from "./change.js";

/** Milliseconds between two looks, never less. An unchanged market costs a 304. */
const INTERVAL = 3000;
/** Between two looks of a page that has a stream, when nothing comes by it. */
const QUIET_INTERVAL = 30_000;
/** In which all the pages look that hear of the same event. */
const SPREAD = 1000;
const PATIENCE = 10_000;
/** After so many looks in vain the page says that it stands still. */
const TRIES = 3;
/** The longest pause of a page that gets no answers. */
const LONGEST_PAUSE = 60_000;

/** Until the stream is tried again after it was cut or refused: twice as long each time, but for one that has lasted. */
const FIRST_REST = 5000;
const LONGEST_REST = 600_000;
const LASTING = 60_000;
/** Maximum across all windows of a browser: HTTP/1.1 allows six connections to a host, and six streams would leave none. */
const MOST_STREAMS = 3;

/** @type {string | null} */
let tag = null;
let failures = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** By `performance.now()`, as all moments here. */
let dueAt = Number.POSITIVE_INFINITY;
let lookedAt = 0;
let isLooking = false;
/** Whether something has happened since the last look began. */
let isStale = false;
/** The block that the page must have come to: another reader may have sent the event than the one that sends the page. */
let newestBlock = 0;
/** Whether the page is about to be reloaded. */
let isOver = false;
/** Whether the last answer was of another release: its figures are shown, but with the stylesheet and the scripts of this one. */
let isOutdated = false;
/** Whether the tab has been shown again since the last look: the page may reload, as it is not being read yet. */
let isShownAgain = false;

/** @type {{ close(): void, source: EventSource } | null} */
let stream = null;
let isAskingForPlace = false;
let cuts = 0;
let restsUntil = 0;

if (document.querySelector("main[data-live]") !== null) {
  lookIn(pause(0));
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return stream?.close();
    isShownAgain = true;
    // An unchanged page would not be sent.
    if (isOutdated) tag = null;
    changed();
  });
  addEventListener("online", changed);
}

/** Looks in so many milliseconds, unless that happens sooner anyway. @param {number} milliseconds */
function lookIn(milliseconds) {
  const at = performance.now() + milliseconds;
  if (isOver || at >= dueAt) return;
  clearTimeout(timer);
  dueAt = at;
  timer = setTimeout(look, milliseconds);
}

async function look() {
  dueAt = Number.POSITIVE_INFINITY;
  // A page that becomes visible again looks at once.
  if (document.hidden) return;
  lookedAt = performance.now();
  isLooking = true;
  isStale = false;
  let asked = 0;
  const mayReload = isShownAgain;
  isShownAgain = false;
  try {
    isOver = !(await refresh(mayReload));
    failures = 0;
  } catch (error) {
    failures++;
    asked = error instanceof Unanswered ? error.pause : 0;
    if (error instanceof Gone) saySync("This page is no longer published. You see it as it last was.");
    else if (failures >= TRIES) saySync("Connection lost. Figures are not updating; retrying.");
  }
  isLooking = false;
  if (isOver || failures > 0) stream?.close();
  else await follow();
  lookIn(isStale ? soon() : pause(asked));
}

/** Something has happened. */
function changed() {
  isStale = true;
  if (!isLooking) lookIn(soon());
}

/** Milliseconds until the next look may be, and not the same in all windows. */
function soon() {
  return Math.max(0, lookedAt + INTERVAL - performance.now()) + SPREAD * Math.random();
}

/**
 * Milliseconds to the next look when nothing happens: longer after each failure, and never the same in all windows.
 * @param {number} least
 */
function pause(least) {
  const usual = stream?.source.readyState === 1 ? QUIET_INTERVAL : INTERVAL;
  const wanted = Math.max(usual * 2 ** failures, least);
  return Math.min(wanted, LONGEST_PAUSE) * (0.8 + 0.4 * Math.random());
}

/** Opens the stream that the page names, if it names one, unless there is one already or it is not its time. */
async function follow() {
  const address = document.querySelector("main")?.dataset.live;
  if (!address || stream !== null || isAskingForPlace || performance.now() < restsUntil) return;
  isAskingForPlace = true;
  const leave = await takePlace();
  isAskingForPlace = false;
  if (leave === null) return;
  if (document.hidden) return leave();
  const source = new EventSource(address);
  const openedAt = performance.now();
  const own = {
    source,
    close() {
      source.close();
      leave();
      stream = null;
    },
  };
  stream = own;
  // Changes from before it was open do not come by it.
  source.addEventListener("open", changed);
  source.addEventListener("ledger", ({ data }) => {
    newestBlock = Number(JSON.parse(data).blockNumber);
    changed();
  });
  source.addEventListener("reorg", () => {
    newestBlock = 0;
    changed();
  });
  source.addEventListener("final", changed);
  // By itself it would come back after the same pause in all windows, and never after a refusal.
  source.addEventListener("error", () => {
    own.close();
    cuts = performance.now() - openedAt > LASTING ? 1 : cuts + 1;
    const rest = Math.min(FIRST_REST * 2 ** (cuts - 1), LONGEST_REST);
    restsUntil = performance.now() + rest * (0.5 + Math.random());
    lookIn(pause(0));
  });
}

/**
 * Takes one of the places for streams that all windows share.
 * @returns {Promise<(() => void) | null>} what gives it back; null if all are taken, or they cannot be counted
 */
function takePlace() {
  return new Promise((resolve) => {
    if (!("EventSource" in globalThis) || !("locks" in navigator)) return resolve(null);
    /** @param {number} place */
    const attempt = (place) => {
      if (place === MOST_STREAMS) return resolve(null);
      /** @param {Lock | null} lock */
      const hold = (lock) =>
        lock === null ? attempt(place + 1) : new Promise((leave) => resolve(() => leave(undefined)));
      navigator.locks
        .request(`raisebook-stream-${place}`, { ifAvailable: true }, hold)
        .catch(() => resolve(null));
    };
    attempt(0);
  });
}

/** The response is not this page: another server's, or an error. */
class Unanswered extends Error {
  /** milliseconds that the answer asks to wait */
  pause = 0;
}

/** There is no such page now. After a reorganisation a raise may come again. */
class Gone extends Error {}

/** Whether to look again: not when the page is reloaded. @param {boolean} mayReload for another release */
async function refresh(mayReload) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "text/html" };
  if (tag !== null) headers["If-None-Match"] = tag;
  const signal = AbortSignal.timeout(PATIENCE);
  const asked = location.href;
  const response = await fetch(asked, { headers, cache: "no-store", signal });
  if (Number(response.headers.get("X-Indexed-Block") ?? newestBlock) < newestBlock) isStale = true;
  if (response.status === 304) {
    // The text there may be a warning of this script.
    if (failures >= TRIES) saySync("");
    return true;
  }
  const next = new DOMParser().parseFromString(await response.text(), "text/html");
  if (location.href !== asked) {
    // The reader has gone on to another view of the page meanwhile.
    isStale = true;
    return true;
  }
  const main = document.querySelector("main");
  const sync = document.getElementById("syncState");
  const nextMain = next.querySelector("main#pageContent");
  const nextSync = next.getElementById("syncState");
  const isOurs = nextMain !== null && nextSync !== null;
  const isError = main?.hasAttribute("data-error") ?? false;
  if (isOurs && isError && response.status < 500 && !nextMain.hasAttribute("data-error")) {
    // A page that was an error lacks the scripts' additions. A page of the market looks again by itself.
    location.reload();
    return false;
  }
  if (response.status === 404 && isOurs) throw new Gone();
  // A page that is being read stays while the service cannot make it.
  const isTaken = response.ok || response.status === 400 || (response.status === 503 && isError);
  if (!isOurs || !main || !sync || !isTaken) {
    const error = new Unanswered(`answered ${response.status}`);
    error.pause = 1000 * (Number(response.headers.get("Retry-After")) || 0);
    throw error;
  }
  isOutdated = isOfOtherRelease(next);
  if (isOutdated && mayReload && !isFilledIn()) {
    location.reload();
    return false;
  }
  tag = response.headers.get("ETag");
  document.title = next.title;
  const focused = document.activeElement;
  const section = focused?.closest("section");
  change(sync, nextSync);
  change(main, nextMain);
  // A button goes with what it copied.
  await null;
  if (focused?.isConnected === false)
    focusOn((section?.isConnected && section.querySelector("h2")) || main.querySelector("h1"));
  return true;
}

/** Whether something is typed or chosen that is not sent yet: a new page would not have it. */
function isFilledIn() {
  return [...document.querySelectorAll("input, select")].some((field) => {
    if (field instanceof HTMLInputElement)
      return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
    if (!(field instanceof HTMLSelectElement)) return false;
    const before = [...field.options].findIndex(({ defaultSelected }) => defaultSelected);
    return field.selectedIndex !== Math.max(0, before);
  });
}

/** @param {string} text */
function saySync(text) {
  const banner = document.getElementById("syncState");
  if (banner === null || banner.textContent === text) return;
  banner.dataset.state = text === "" ? "ok" : "degraded";
  const line = Object.assign(document.createElement("p"), { textContent: text });
  banner.replaceChildren(...(text === "" ? [] : [line]));
  // The document is no longer what the service sent last.
  tag = null;
}
