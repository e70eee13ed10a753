/**
 * What the pages do in a browser that runs scripts: figures refresh themselves, snippets have a button to copy them.
 * Without it every page says the same, as of when it was loaded.
 */

/** Milliseconds between two looks. An unchanged market costs a 304. */
const INTERVAL = 3000;
const PATIENCE = 10_000;
/** After so many looks in vain the page says that it stands still. */
const TRIES = 3;

/** The longest pause of a page that nobody answers. */
const LONGEST_PAUSE = 60_000;

/** @type {string | null} */
let tag = null;
let failures = 0;

if (document.querySelector("main[data-live]") !== null) setTimeout(look, pause(0));

async function look() {
  let asked = 0;
  if (!document.hidden) {
    try {
      if (!(await refresh())) return;
      failures = 0;
    } catch (error) {
      failures++;
      asked = error instanceof Unanswered ? error.pause : 0;
      if (failures === TRIES)
        saySync("This page cannot reach the service and stands still. It keeps trying.");
    }
  }
  setTimeout(look, pause(asked));
}

/** Somebody else answered, or nobody. */
class Unanswered extends Error {
  /** milliseconds that the answer asks to wait */
  pause = 0;
}

/**
 * Milliseconds to the next look: longer after each failure, and never the same in all tabs.
 * @param {number} least
 */
function pause(least) {
  const wanted = Math.max(INTERVAL * 2 ** failures, least);
  return Math.min(wanted, LONGEST_PAUSE) * (0.8 + 0.4 * Math.random());
}

/** Whether to look again: not when there is no such page any more. */
async function refresh() {
  /** @type {Record<string, string>} */
  const headers = { Accept: "text/html" };
  if (tag !== null) headers["If-None-Match"] = tag;
  const signal = AbortSignal.timeout(PATIENCE);
  const response = await fetch(location.href, { headers, cache: "no-store", signal });
  if (response.status === 304) {
    // What stands there may be a warning of this script's.
    if (failures >= TRIES) saySync("");
    return true;
  }
  const next = new DOMParser().parseFromString(await response.text(), "text/html");
  const main = document.querySelector("main");
  const sync = document.getElementById("syncState");
  const nextMain = next.querySelector("main#pageContent");
  const nextSync = next.getElementById("syncState");
  const isOurs = nextMain !== null && nextSync !== null;
  if (response.status === 404 && isOurs) {
    saySync("This page is not published any more: what stands here is as of before.");
    return false;
  }
  if (!isOurs || !main || !sync || !(response.ok || response.status === 503)) {
    const error = new Unanswered(`answered ${response.status}`);
    error.pause = 1000 * (Number(response.headers.get("Retry-After")) || 0);
    throw error;
  }
  tag = response.headers.get("ETag");
  document.title = next.title;
  change(sync, nextSync);
  change(main, nextMain);
  return true;
}

/** @param {string} text */
function saySync(text) {
  const banner = document.getElementById("syncState");
  if (banner === null) return;
  banner.dataset.state = text === "" ? "ok" : "degraded";
  const line = document.createElement("p");
  line.textContent = text;
  banner.replaceChildren(...(text === "" ? [] : [line]));
  // What is there now is not what the service sent last.
  tag = null;
}

/**
 * Makes an element say what another one says, and touches nothing that is the same: focus, selection, scrolling, what
 * is folded open and what is being typed stay as they are.
 * @param {Element} from
 * @param {Element} to
 */
function change(from, to) {
  // What somebody fills in is theirs until it is sent.
  if (from instanceof HTMLFormElement) return;
  changeAttributes(from, to);
  const left = new Map(
    [...from.childNodes].flatMap((node) => (keyOf(node) === null ? [] : [[keyOf(node), node]])),
  );
  let at = skipOurs(from.firstChild);
  for (const wanted of [...to.childNodes]) {
    const key = keyOf(wanted);
    const known = key === null ? at : left.get(key);
    if (known && isAlike(known, wanted)) {
      if (known !== at) move(from, known, at);
      if (known instanceof Element && wanted instanceof Element) change(known, wanted);
      else if (known.nodeValue !== wanted.nodeValue) changeText(known, wanted);
      at = skipOurs(known.nextSibling);
    } else {
      from.insertBefore(document.importNode(wanted, true), at);
    }
  }
  while (at !== null) {
    const next = skipOurs(at.nextSibling);
    at.remove();
    at = next;
  }
}

/**
 * Puts a row where it belongs now. Where the browser can, it keeps its focus and selection on the way.
 * @param {Element} parent
 * @param {Node} node
 * @param {Node | null} before
 */
function move(parent, node, before) {
  if (typeof parent.moveBefore === "function") parent.moveBefore(node, before);
  else parent.insertBefore(node, before);
}

/**
 * The next node that the service has sent: a button to copy and the pointer of a chart are of our scripts' making.
 * @param {ChildNode | null} node
 */
function skipOurs(node) {
  let next = node;
  while (next instanceof Element && next.matches(".copy, .chart-pointer")) next = next.nextSibling;
  return next;
}

/**
 * @param {Element} from
 * @param {Element} to
 */
function changeAttributes(from, to) {
  // Whether it is open is the reader's choice; a class may be ours.
  const kept = new Set(["open", "class"]);
  for (const { name, value } of [...to.attributes]) {
    if (from.getAttribute(name) !== value && name !== "open") from.setAttribute(name, value);
  }
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !kept.has(name)) from.removeAttribute(name);
  }
}

/**
 * @param {Node} from
 * @param {Node} to
 */
function changeText(from, to) {
  from.nodeValue = to.nodeValue;
  const fact = from.parentElement?.closest("[data-fact]");
  if (!fact) return;
  fact.classList.add("is-changed");
  setTimeout(() => fact.classList.remove("is-changed"), 2000);
}

/**
 * What a node is known by among its siblings; null where its place says it.
 * @param {Node} node
 */
function keyOf(node) {
  if (!(node instanceof Element)) return null;
  return node.id || node.getAttribute("data-row") || null;
}

/**
 * @param {Node} a
 * @param {Node} b
 */
function isAlike(a, b) {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);
}

for (const block of document.querySelectorAll("pre[data-copy]")) {
  const say = (/** @type {HTMLElement} */ button, /** @type {string} */ text) => {
    button.textContent = text;
  };
  block.after(copyButton(block, say));
}

// Addresses and ids among the facts. The button is a sign without words, so that a fact says what it said.
for (const code of document.querySelectorAll(".section .facts code.code")) {
  const label = code.closest(".fact")?.querySelector("dt")?.textContent ?? "";
  const button = copyButton(code, (own, text) => {
    own.dataset.state = text.toLowerCase();
    own.setAttribute("aria-label", `${text}: ${label}`);
  });
  button.classList.add("copy--short");
  (code.closest("[data-fact]") ?? code).after(button);
}

/**
 * A button that copies what an element says; what is shown in short says itself whole in its title.
 * @param {Element} element
 * @param {(button: HTMLElement, text: string) => void} say
 */
function copyButton(element, say) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  say(button, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(element.getAttribute("title") ?? element.textContent ?? "");
      say(button, "Copied");
    } catch {
      say(button, "Select the text to copy it");
    }
    setTimeout(() => say(button, "Copy"), 2000);
  });
  return button;
}

/** Where the language of the snippets is kept for the next page. */
const LANGUAGE = "snippetLanguage";

/**
 * Shows all snippets in a language.
 * @param {string} value
 */
function choose(value) {
  for (const input of document.querySelectorAll(".tabs input")) {
    if (input instanceof HTMLInputElement && input.value === value) input.checked = true;
  }
}

for (const input of document.querySelectorAll(".tabs input")) {
  input.addEventListener("change", () => {
    if (!(input instanceof HTMLInputElement)) return;
    const before = input.getBoundingClientRect().top;
    choose(input.value);
    // What is above may be longer or shorter in this language: the reader's place stays.
    scrollBy({ top: input.getBoundingClientRect().top - before, behavior: "instant" });
    try {
      localStorage.setItem(LANGUAGE, input.value);
    } catch {}
  });
}
try {
  choose(localStorage.getItem(LANGUAGE) ?? "");
} catch {}
