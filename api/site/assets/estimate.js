/**
 * Estimates again while an amount is typed: the page with the new amount is asked for, and its figures replace the old ones. A bad
 * amount changes the hint alone, so that nothing moves. Without a script the form asks for the page.
 */
import { change } from "./change.js";

/** Milliseconds after the last key. */
const AFTER_TYPING = 300;

for (const form of document.querySelectorAll("form[data-estimate]")) refine(form);

/** @param {Element} form */
function refine(form) {
  const section = form.closest("section");
  const amount = form.querySelector("input");
  const hint = form.querySelector(".field-hint");
  if (section === null || amount === null || hint === null) return;
  let asked = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typing;

  /** @param {string} text @param {string | null} isInvalid */
  const say = (text, isInvalid) => {
    amount.ariaInvalid = isInvalid;
    if (hint.textContent !== text) hint.textContent = text;
  };
  const ask = async () => {
    clearTimeout(typing);
    const own = ++asked;
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
  };
  amount.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(ask, AFTER_TYPING);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
}
