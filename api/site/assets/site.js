/**
 * The pages in a browser that runs scripts: snippets have a button to copy them, a raise one to prove it; figures refresh
 * themselves (live.js). Without it every page says the same, as of when it was loaded.
 */
import { areOurs } from "./change.js";

/** The buttons to copy, by what they copy. @type {Map<Element, HTMLElement>} */
const copyButtons = new Map();
addCopyButtons();
const refreshed = document.querySelector("main");
if (refreshed !== null)
  new MutationObserver((changes) => areOurs(changes) || addCopyButtons()).observe(refreshed, {
    childList: true,
    subtree: true,
  });

/** Also for what a refresh has brought; a button goes with what it copied. */
function addCopyButtons() {
  for (const [copied, button] of copyButtons) {
    if (copied.isConnected) continue;
    button.remove();
    copyButtons.delete(copied);
  }
  for (const block of document.querySelectorAll("pre[data-copy]")) {
    addCopyButton(block, block, (button, text) => {
      button.textContent = text;
    });
  }
  // Addresses and ids among the facts. The button is a sign without words, so that a fact says what it said.
  for (const code of document.querySelectorAll(".section .facts code.code")) {
    const labelNow = () => code.closest(".fact")?.querySelector("dt")?.textContent ?? "";
    /** @param {HTMLElement} own @param {string} text */
    const say = (own, text) => {
      own.dataset.state = text.toLowerCase();
      own.dataset.label = labelNow();
      own.setAttribute("aria-label", `${text}: ${own.dataset.label}`);
    };
    const button = addCopyButton(code, code.closest("[data-fact]") ?? code, say);
    button.classList.add("copy--short");
    // A refresh may have put another fact there.
    if (button.dataset.label !== labelNow()) say(button, "Copy");
  }
}

/**
 * The button that copies what an element says; what is shown in short says itself whole in its title.
 * @param {Element} element
 * @param {Element} before
 * @param {(button: HTMLElement, text: string) => void} say
 */
function addCopyButton(element, before, say) {
  const known = copyButtons.get(element);
  if (known !== undefined) return known;
  const button = Object.assign(document.createElement("button"), { type: "button", className: "copy" });
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
  copyButtons.set(element, button);
  before.after(button);
  return button;
}

// The rest of it is loaded by who wants it.
const prover = document.getElementById("prover");
if (prover !== null) {
  const looks = { type: "button", className: "button button--secondary", textContent: "Prove it" };
  const button = Object.assign(document.createElement("button"), looks);
  const trouble = Object.assign(document.createElement("p"), { role: "status" });
  button.addEventListener("click", async () => {
    try {
      const { openProver } = await import("./prove.js");
      openProver(prover);
    } catch {
      trouble.textContent = "The proof tool did not load. Reload the page.";
    }
  });
  prover.append(button, trouble);
}

// As in editors: the form of a query is sent from within the text.
document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  if (target instanceof HTMLTextAreaElement) target.form?.requestSubmit();
});

/** The key under which the language of the snippets is kept for the next page. */
const LANGUAGE = "snippetLanguage";

/** Shows all snippets in a language. @param {string} value */
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
    // The part above may be longer or shorter in this language: the reader's place stays.
    scrollBy({ top: input.getBoundingClientRect().top - before, behavior: "instant" });
    try {
      localStorage.setItem(LANGUAGE, input.value);
    } catch {}
  });
}
try {
  choose(localStorage.getItem(LANGUAGE) ?? "");
} catch {}
