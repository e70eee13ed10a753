/**
 * Estimates again while an amount is typed: the page with the new amount is asked for, and its figures replace the old ones. A bad
 * amount changes the hint alone, so that nothing moves. Without a script the form asks for the page.
 */
import { change } from "./change.js";

/** Milliseconds after the last key. */
const AFTER_TYPING = 300;

let asked = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;

// The form comes and goes with what is on offer: the page listens.
document.addEventListener("input", ({ target }) => {
  const form = target instanceof Element ? target.closest("form[data-estimate]") : null;
  if (form === null) return;
  clearTimeout(typing);
  typing = setTimeout(() => estimate(form), AFTER_TYPING);
});
document.addEventListener("submit", (event) => {
  if (!(event.target instanceof Element) || !event.target.matches("form[data-estimate]")) return;
  event.preventDefault();
  estimate(event.target);
});

/** @param {Element} form */
async function estimate(form) {
  const section = form.closest("section");
  const amount = form.querySelector("input");
  const hint = form.querySelector(".field-hint");
  if (section === null || amount === null || hint === null) return;
  clearTimeout(typing);
  const own = ++asked;
  /** @param {string} text @param {string | null} isInvalid */
  const say = (text, isInvalid) => {
    amount.ariaInvalid = isInvalid;
    if (hint.textContent !== text) hint.textContent = text;
  };
  const address = new URL(location.href);
  address.searchParams.set("amount", amount.value);
  try {
    const response = await fetch(address, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const next = page.getElementById(section.id);
    // A later amount has its own answer.
    if (own !== asked) return;
    if (next === null) throw new Error("another page");
    const isInvalid = next.querySelector("input")?.getAttribute("aria-invalid") ?? null;
    say(next.querySelector(".field-hint")?.textContent ?? "", isInvalid);
    if (!response.ok) return;
    change(section, next);
    history.replaceState(null, "", address);
  } catch {
    if (own === asked) say("Not calculated: the service does not answer. Try again.", null);
  }
}
