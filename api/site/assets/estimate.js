/**
 * Estimates again while an amount is typed: the page with the new amount is asked for, and its figures replace the old ones. A bad
 * amount changes the hint alone, so that nothing moves. Without a script the form asks for the page.
 */
import { change } from "./change.js";

/** Milliseconds after the last key. */
const AFTER_TYPING = 300;

const form = document.querySelector("form[data-estimate]");
const place = form?.closest("section");
const field = form?.querySelector("input");
if (form instanceof HTMLFormElement && place && field) {
  let asked = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typing;
  const ask = async () => {
    clearTimeout(typing);
    const own = ++asked;
    const address = new URL(location.href);
    address.searchParams.set("amount", field.value);
    try {
      const response = await fetch(address, { headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const next = page.getElementById(place.id);
      // A later amount has its own answer.
      if (own !== asked || next === null) return;
      hint(next);
      if (!response.ok) return;
      change(place, next);
      history.replaceState(null, "", address);
    } catch {
      const hint = place.querySelector(".field-hint");
      if (own === asked && hint) hint.textContent = "Not calculated: the service does not answer. Try again.";
    }
  };
  /** @param {Element} next the section as the service sends it */
  const hint = (next) => {
    const [own, said] = [place, next].map((one) => one.querySelector(".field-hint"));
    if (own && said && own.textContent !== said.textContent) own.textContent = said.textContent;
    field.ariaInvalid = next.querySelector("input")?.ariaInvalid ?? null;
  };
  field.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(ask, AFTER_TYPING);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
}
