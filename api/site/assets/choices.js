/**
 * The bar that compares raises: how many are ticked, and no more than fit. Without this the boxes and the button work as any form does,
 * and the page that compares says what is too much.
 */

/** As many as the page compares. */
const MOST_TICKED = 4;

/** @returns {HTMLInputElement[]} */
function boxes() {
  return [...document.querySelectorAll("input[form=compareForm]")].filter(
    (box) => box instanceof HTMLInputElement,
  );
}

function countTicked() {
  const form = document.getElementById("compareForm");
  const button = form?.querySelector("button");
  const status = form?.querySelector("[role=status]");
  if (!button || !status) return;
  const ticked = boxes().filter(({ checked }) => checked).length;
  const text = ticked === 0 ? "Compare the ticked raises" : `Compare (${ticked})`;
  const note = ticked >= MOST_TICKED ? `At most ${MOST_TICKED} can be compared.` : "";
  if (button.textContent !== text) button.textContent = text;
  if (status.textContent !== note) status.textContent = note;
  for (const box of boxes()) box.disabled = ticked >= MOST_TICKED && !box.checked;
}

document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement && target.matches("input[form=compareForm]")) countTicked();
});
// A browser restores ticks when a reader comes back, and a refresh brings new rows.
addEventListener("pageshow", countTicked);
const chosen = document.querySelector("main");
if (chosen !== null)
  new MutationObserver(countTicked).observe(chosen, { childList: true, characterData: true, subtree: true });
