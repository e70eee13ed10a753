/**
 * The watch list: stars on raises, kept in this browser alone, and on the page of the list what has changed since the last visit. Nothing
 * leaves the browser but the ids in the address of that page. Where the browser keeps nothing, no star is shown.
 */
import { focusOn } from "./board.js";

/** The key of the list: `[{ id, seen }]`, where `seen` has the texts of the columns at the last visit, or is null. */
const WATCHED = "watchedRaises";
/** For one window: the list as it was when the visit began, so that a reload and the way back show the same changes. */
const VISIT = "watchedVisit";
const WATCHED_PATH = "/watched";
/** As many as the page shows. */
const MOST_KEPT = 50;

/** @typedef {{ id: string, seen: Record<string, string> | null }} Watched */

/** @param {Storage} storage @param {string} key @returns {Watched[]} what can be read of it */
function readList(storage, key) {
  try {
    const kept = JSON.parse(storage.getItem(key) ?? "[]");
    if (!Array.isArray(kept)) return [];
    const known = new Map();
    for (const one of kept) {
      if (typeof one?.id !== "string" || !/^lst_[\w-]{1,64}$/.test(one.id)) continue;
      const texts = Object.entries(one.seen ?? {}).filter(([, text]) => typeof text === "string");
      known.set(one.id, { id: one.id, seen: one.seen ? Object.fromEntries(texts) : null });
    }
    return [...known.values()].slice(0, MOST_KEPT);
  } catch {
    return [];
  }
}

/** @param {readonly Watched[]} list @returns {boolean} whether the browser keeps it */
function keepList(list) {
  try {
    localStorage.setItem(WATCHED, JSON.stringify(list));
    return true;
  } catch {
    return false;
  }
}

/** Whether this browser keeps anything for this site. */
function canKeep() {
  try {
    localStorage.getItem(WATCHED);
    return true;
  } catch {
    return false;
  }
}

const list = () => readList(localStorage, WATCHED);

function showStars() {
  const ids = new Set(list().map(({ id }) => id));
  for (const star of document.querySelectorAll(".star")) {
    const isWatched = String(ids.has(star.getAttribute("data-watch") ?? ""));
    if (star.getAttribute("aria-pressed") !== isWatched) star.setAttribute("aria-pressed", isWatched);
  }
}

/** @param {string} text for a moment, also for those who do not see it */
export function say(text) {
  const line =
    document.getElementById("watchNote") ??
    Object.assign(document.createElement("p"), { id: "watchNote", className: "watch-note" });
  line.setAttribute("role", "status");
  document.body.append(line);
  line.textContent = text;
  setTimeout(() => {
    if (line.textContent === text) line.textContent = "";
  }, 4000);
}

/** @param {string} id */
function toggle(id) {
  const kept = list();
  const isWatched = kept.some((one) => one.id === id);
  if (!isWatched && kept.length >= MOST_KEPT) return say(`The list is full: it has ${MOST_KEPT} raises.`);
  const next = isWatched ? kept.filter((one) => one.id !== id) : [...kept, { id, seen: null }];
  say(keepList(next) ? (isWatched ? "No longer watched" : "Watched") : "This browser keeps no list.");
  showStars();
  if (location.pathname === WATCHED_PATH && isMine()) history.replaceState(null, "", pathOf(next));
}

/** @param {readonly { id: string }[]} raises */
function pathOf(raises) {
  return raises.length === 0 ? WATCHED_PATH : `${WATCHED_PATH}?ids=${raises.map(({ id }) => id).join(",")}`;
}

/** The rows of the list that the page shows. */
function rows() {
  return [...document.querySelectorAll("#watched [data-row]")];
}

/** @param {Element} row */
const idOf = (row) => row.getAttribute("data-row") ?? "";

/** Whether the page shows this browser's list, or what was taken off it just now; otherwise it is another person's link. */
let shownAsMine = false;
const isMine = () => shownAsMine;

/** The texts of a row in each column that can change; how late a raise is changes every day. @param {Element} row */
function textsOf(row) {
  const cells = [...row.querySelectorAll("td[data-fact]")];
  return Object.fromEntries(
    cells.map((cell) => {
      const own = [...cell.childNodes].filter((node) => !(node instanceof Element && node.matches(".was")));
      const text = own.map((node) => node.textContent).join("");
      return [cell.getAttribute("data-fact") ?? "", text.replace(/ · [\d,]+ days? overdue$/, "").trim()];
    }),
  );
}

/** Says in each cell what was there at the last visit, and in all how many raises have changed. @param {readonly Watched[]} before */
function showChanges(before) {
  let changed = 0;
  for (const row of rows()) {
    const seen = before.find(({ id }) => id === idOf(row))?.seen ?? null;
    const now = textsOf(row);
    const different = Object.keys(now).filter((key) => seen?.[key] !== undefined && seen[key] !== now[key]);
    if (different.length > 0) changed++;
    for (const cell of row.querySelectorAll("td[data-fact]")) {
      const key = cell.getAttribute("data-fact") ?? "";
      mark(cell, different.includes(key) ? `was ${seen?.[key]}` : "");
    }
  }
  const isKnown = before.some(({ id, seen }) => seen !== null && rows().some((row) => idOf(row) === id));
  const raises = changed === 1 ? "1 raise has" : `${changed} raises have`;
  const text =
    changed === 0 ? "Nothing has changed since your last visit." : `${raises} changed since your last visit.`;
  const section = document.getElementById("watched");
  if (section !== null) lead(section, isKnown ? text : "");
}

/** @param {Element} cell @param {string} text */
function mark(cell, text) {
  const old = cell.querySelector(".was");
  if ((old?.textContent ?? "") === text) return;
  old?.remove();
  if (text !== "")
    cell.append(Object.assign(document.createElement("small"), { className: "was", textContent: text }));
}

/** @param {Element} section @param {string} text */
function lead(section, text) {
  const line = section.querySelector(":scope > p.was");
  if ((line?.textContent ?? "") === text) return;
  line?.remove();
  if (text !== "")
    section.prepend(Object.assign(document.createElement("p"), { className: "was", textContent: text }));
}

/** Offers to watch the raises of a list that another person has sent. @param {readonly string[]} missing */
function offerToKeep(missing) {
  const section = document.getElementById("watched");
  if (section === null || missing.length === 0) return;
  const raises = missing.length === 1 ? "this raise" : `these ${missing.length} raises`;
  const looks = { type: "button", className: "button was", textContent: `Watch ${raises} too` };
  const button = Object.assign(document.createElement("button"), looks);
  button.addEventListener("click", () => {
    const kept = list();
    const room = missing.slice(0, MOST_KEPT - kept.length);
    if (!keepList([...kept, ...room.map((id) => ({ id, seen: null }))]))
      return say("This browser keeps no list.");
    if (room.length < missing.length) say(`The list is full: it has ${MOST_KEPT} raises.`);
    button.remove();
    showStars();
  });
  section.prepend(button);
}

/** The list as it was when the visit began. @returns {readonly Watched[]} */
function beginVisit() {
  try {
    const [arrival] = performance.getEntriesByType("navigation");
    const isReturn =
      arrival instanceof PerformanceNavigationTiming && ["reload", "back_forward"].includes(arrival.type);
    if (!isReturn || sessionStorage.getItem(VISIT) === null)
      sessionStorage.setItem(VISIT, JSON.stringify(list()));
    return readList(sessionStorage, VISIT);
  } catch {
    return list();
  }
}

function openList() {
  const kept = list();
  const shown = rows().map(idOf);
  if (!new URLSearchParams(location.search).has("ids")) {
    if (kept.length > 0) location.replace(pathOf(kept));
    return;
  }
  const missing = shown.filter((id) => !kept.some((one) => one.id === id));
  shownAsMine = missing.length === 0;
  offerToKeep(missing);
  const before = beginVisit();
  /** @type {Element | null} */
  let focused = null;
  const refresh = () => {
    // A star that was pressed has left with its raise.
    if (focused?.isConnected === false && document.activeElement === document.body)
      focusOn(document.querySelector("h1"));
    focused = document.activeElement;
    showChanges(before);
    const seen = new Map(rows().map((row) => [idOf(row), textsOf(row)]));
    keepList(list().map((one) => ({ ...one, seen: seen.get(one.id) ?? one.seen })));
  };
  refresh();
  document.addEventListener("focusin", () => {
    focused = document.activeElement;
  });
  const main = document.querySelector("main");
  if (main !== null)
    new MutationObserver(refresh).observe(main, { childList: true, characterData: true, subtree: true });
}

if (canKeep()) {
  document.documentElement.classList.add("keeps-list");
  showStars();
  document.addEventListener("click", ({ target }) => {
    const star = target instanceof Element ? target.closest(".star") : null;
    const id = star?.getAttribute("data-watch");
    if (id) toggle(id);
  });
  // A refresh brings rows without a star, and another window changes the list.
  const attributes = { attributes: true, attributeFilter: ["aria-pressed", "data-watch"] };
  new MutationObserver(showStars).observe(document.body, { childList: true, subtree: true, ...attributes });
  addEventListener("storage", showStars);
  addEventListener("pageshow", showStars);
  if (location.pathname === WATCHED_PATH) openList();
}
