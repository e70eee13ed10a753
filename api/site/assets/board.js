/**
 * The board in a browser that runs scripts: its links and its form change it in place, and raises that have come up are announced instead
 * of moving those that are being read. Without scripts the same addresses are loaded as pages.
 */
import { change, isOfOtherRelease } from "./change.js";

/** The view that is shown. */
let shownView = location.pathname + location.search;
/** Milliseconds after the last step through the orders. */
const AFTER_STEPPING = 500;
/** @type {AbortController | null} */
let changingView = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let ordering;

/** The filter panel while it is open. */
const PANEL = "#raises .filter-more[open]";
const isBoard = () => document.querySelector("main #raises") !== null;

if (isBoard()) {
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("#raises a, #health a") : null;
    const url = new URL(link?.getAttribute("href") ?? "/listings", location.href);
    if (url.origin !== location.origin || url.pathname !== location.pathname) return;
    event.preventDefault();
    showView(url, true);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.closest("#raises") === null) return;
    // An agent's call of the form as a tool ends with the page that it opens.
    if ("agentInvoked" in event && event.agentInvoked) {
      giveUp();
      return;
    }
    event.preventDefault();
    closePanel();
    showView(addressOf(form), true);
  });
  document.addEventListener("change", ({ target }) => {
    const form = target instanceof HTMLSelectElement && target.name === "sort" ? target.form : null;
    if (form === null) return;
    // An agent that fills in the form submits it next.
    clearTimeout(ordering);
    ordering = setTimeout(() => showView(addressOf(form), true), AFTER_STEPPING);
  });
  document.addEventListener("focusout", ({ target }) => {
    const form = target instanceof HTMLSelectElement ? target.form : null;
    if (form !== null && ordering !== undefined) showView(addressOf(form), true);
  });
  document.addEventListener("keydown", ({ key, defaultPrevented }) => {
    if (key === "Escape" && !defaultPrevented) closePanel();
  });
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    const left = target instanceof Element ? target.closest(PANEL) : null;
    if (left === null || !(relatedTarget instanceof Node)) return;
    // Its container has the focus after a click on its words.
    if (!left.contains(relatedTarget) && !relatedTarget.contains(left)) uncover();
  });
  /** The element at which a click began: one that selects text may end outside the panel. @type {EventTarget | null} */
  let pressed = null;
  document.addEventListener("pointerdown", ({ target }) => {
    pressed = target;
  });
  document.addEventListener("click", ({ target }) => {
    const began = pressed ?? target;
    pressed = null;
    if (began instanceof Element && began.closest(PANEL) === null) uncover();
  });
  document.addEventListener("rows", (event) => {
    if (event instanceof CustomEvent) announceRows(event.target, event.detail);
  });
  addEventListener("popstate", () => {
    if (location.pathname + location.search !== shownView) showView(new URL(location.href), false);
  });
  // A page that the browser has kept whole has also kept what was typed.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) resetForms();
  });
}

/** Closes the filter panel. A focus within it goes to what opens it. */
function closePanel() {
  const details = document.querySelector(PANEL);
  if (details === null) return;
  if (details.contains(document.activeElement)) details.querySelector("summary")?.focus();
  details.removeAttribute("open");
}

/** Closes the filter panel where it covers what comes after it: on a phone it is between the others, which its closing would move. */
function uncover() {
  const panel = document.querySelector(`${PANEL} > .filter-panel`);
  if (panel !== null && getComputedStyle(panel).position === "absolute") closePanel();
}

/** The address to which a form leads, without empty fields. @param {HTMLFormElement} form */
function addressOf(form) {
  const url = new URL(form.action);
  /** @type {Map<string, string[]>} */
  const given = new Map();
  for (const [name, value] of new FormData(form)) {
    if (value !== "") given.set(name, [...(given.get(name) ?? []), String(value)]);
  }
  url.search = new URLSearchParams([...given].map(([name, values]) => [name, values.join(",")]))
    .toString()
    .replaceAll("%2C", ",");
  return url;
}

/** Ends what was to become another view. */
function giveUp() {
  clearTimeout(ordering);
  ordering = undefined;
  changingView?.abort();
}

/**
 * Shows another view of the board. Where that is not possible the browser opens it as a page.
 * @param {URL} url
 * @param {boolean} isNew whether it becomes an entry of the browser's history, if it is more than another order
 */
async function showView(url, isNew) {
  giveUp();
  changingView = new AbortController();
  const { signal } = changingView;
  const raises = document.getElementById("raises");
  raises?.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(url, { headers: { Accept: "text/html" }, signal });
    const next = new DOMParser().parseFromString(await response.text(), "text/html");
    const [main, nextMain] = [document, next].map((one) => one.querySelector("main#pageContent"));
    const isUsable = (response.ok || response.status === 400) && !isOfOtherRelease(next);
    if (!isUsable || !raises || !main || !nextMain?.querySelector("#raises")) throw new Error("no board");
    // Its address may be a shorter one of the same view.
    if (isNew) history[isReordered(response.url) ? "replaceState" : "pushState"](null, "", response.url);
    shownView = location.pathname + location.search;
    document.title = next.title;
    const top = raises.getBoundingClientRect().top;
    const hadFocus = raises.contains(document.activeElement);
    document.querySelector(".news")?.remove();
    change(main, nextMain, true);
    resetForms();
    if (hadFocus && !raises.contains(document.activeElement)) focusOn(raises.querySelector("h2"));
    if (url.searchParams.has("cursor")) raises.scrollIntoView();
    // The part above may be shorter or longer: the reader's place stays.
    else scrollBy({ top: raises.getBoundingClientRect().top - top, behavior: "instant" });
    sayCount(raises);
  } catch {
    if (!signal.aborted) location.assign(url);
  }
}

/** Whether an address differs from the one that is shown by its order at most. @param {string} address */
function isReordered(address) {
  const [one, other] = [address, location.href].map((text) => {
    const url = new URL(text);
    url.searchParams.delete("sort");
    return url.href;
  });
  return one === other;
}

/** Sets the fields to the values of the address, except for the raises that are ticked. */
function resetForms() {
  for (const form of document.querySelectorAll("#raises form:not(#compareForm)")) {
    if (form instanceof HTMLFormElement) form.reset();
  }
}

/** For those who hear the page: how many raises there are now, and in which order. @param {Element} raises */
function sayCount(raises) {
  let status = document.getElementById("boardStatus");
  if (status === null) {
    status = Object.assign(document.createElement("p"), { id: "boardStatus", className: "visually-hidden" });
    status.setAttribute("role", "status");
    document.body.append(status);
  }
  const words = raises.querySelector("[data-steady]:is(.empty), [data-steady] :is(caption, .table-caption)");
  const order = raises.querySelector("select[name=sort] option:checked");
  const parts = [words?.textContent?.split(";")[0], order?.textContent];
  status.textContent = parts.filter(Boolean).join(". ");
}

/** Puts the focus on what takes none otherwise. @param {Element | null} element */
export function focusOn(element) {
  if (!(element instanceof HTMLElement)) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.addEventListener("blur", () => {
    // It keeps the focus while the reader is in another window.
    if (element !== document.activeElement) element.removeAttribute("tabindex");
  });
}

/**
 * Says what a list would show, above it and without a place of its own.
 * @param {EventTarget | null} list
 * @param {{ fresh: number, isOther: boolean }} rows
 */
function announceRows(list, { fresh, isOther }) {
  let news = document.querySelector(".news");
  if (!isOther) return news?.remove();
  if (!(list instanceof Element)) return;
  if (news === null) {
    news = Object.assign(document.createElement("p"), { className: "news" });
    news.setAttribute("role", "status");
    const button = Object.assign(document.createElement("button"), { type: "button" });
    button.addEventListener("click", async () => {
      await showView(new URL(location.href), false);
      const raises = document.getElementById("raises");
      raises?.scrollIntoView();
      focusOn(raises?.querySelector("h2") ?? null);
    });
    news.append(button);
    list.before(news);
  }
  const words =
    fresh === 0 || !isNewestFirst()
      ? "The list has changed"
      : `${fresh} new ${fresh === 1 ? "raise" : "raises"}`;
  const button = news.querySelector("button");
  if (button && button.textContent !== `${words} – show`) button.textContent = `${words} – show`;
}

/** Whether a row comes in above others only when its raise has opened: not where it can also come to match a filter. */
function isNewestFirst() {
  const asked = new URLSearchParams(location.search);
  asked.delete("view");
  return ["", "show=all"].includes(String(asked));
}
