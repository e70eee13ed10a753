/**
 * Makes an element say what another one says, and touches nothing that is the same: focus, selection, scrolling, what
 * is folded open and what is being typed stay as they are.
 * @param {Element} from
 * @param {Element} to
 * @param {boolean} isAsked whether the reader asked for it: otherwise no form changes, and the rows of a list stay where they are
 */
export function change(from, to, isAsked = false) {
  // A form that is being filled in stays as it is until it is sent. An estimate follows while it is of the amount in its field.
  if (from instanceof HTMLFormElement && !isAsked && !isOfSameAmount(from, to)) return;
  if (from.hasAttribute("data-steady") && !isAsked) return changeSteady(from, to);
  changeAttributes(from, to);
  const left = new Map(
    [...from.childNodes].flatMap((node) => (keyOf(node) === null ? [] : [[keyOf(node), node]])),
  );
  let at = skipOurs(from.firstChild);
  for (const wanted of [...to.childNodes]) {
    const key = keyOf(wanted);
    const known = key === null ? at : left.get(key);
    if (known && isAlike(known, wanted, isAsked)) {
      if (known !== at) move(from, known, at);
      if (known instanceof Element && wanted instanceof Element) change(known, wanted, isAsked);
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

/** @param {HTMLFormElement} from @param {Element} to */
function isOfSameAmount(from, to) {
  const [own, next] = [from, to].map((form) => form.querySelector("input"));
  return from.hasAttribute("data-estimate") && own?.value === next?.defaultValue;
}

/**
 * Changes the figures of a list in place. Rows neither come, go nor move, so that nothing does that is being read: what would is told
 * in an event, `rows`.
 * @param {Element} from
 * @param {Element} to
 */
function changeSteady(from, to) {
  const known = new Map(rowsOf(from).map((row) => [keyOf(row), row]));
  const wanted = rowsOf(to);
  for (const row of wanted) {
    const own = known.get(keyOf(row));
    if (own !== undefined) change(own, row);
  }
  const [caption, next] = [from, to].map((one) => one.querySelector("caption, .table-caption"));
  if (caption && next) change(caption, next);
  const kept = new Set(wanted.map(keyOf));
  for (const [key, row] of known) row.toggleAttribute("data-gone", !kept.has(key));
  // Rows after all that stay may have moved in from the next page.
  const upper =
    known.size === 0 ? wanted : wanted.slice(0, wanted.findLastIndex((row) => known.has(keyOf(row))) + 1);
  const fresh = upper.filter((row) => !known.has(keyOf(row))).length;
  const isOther = [...known.keys()].join(" ") !== wanted.map(keyOf).join(" ");
  from.dispatchEvent(new CustomEvent("rows", { bubbles: true, detail: { fresh, isOther } }));
}

/** @param {Element} list */
function rowsOf(list) {
  return [...list.querySelectorAll("[data-row]")];
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
 * The next node that the service has sent: a button to copy, the pointer of a chart, news of a list, what proves a raise and what a
 * watched raise was before are of our scripts' making.
 * @param {ChildNode | null} node
 */
function skipOurs(node) {
  let next = node;
  while (next instanceof Element && next.matches(".copy, .chart-pointer, .news, #prover > *, .was"))
    next = next.nextSibling;
  return next;
}

/**
 * Whether all changes are within what scripts have made.
 * @param {MutationRecord[]} changes
 */
export function areOurs(changes) {
  return changes.every(
    ({ target }) => target instanceof Element && target.closest(".copy, .chart-pointer") !== null,
  );
}

/**
 * Whether a page has a stylesheet or a script that this one lacks: it is of another release. Extensions of the browser add theirs to this one.
 * @param {Document} next
 */
export function isOfOtherRelease(next) {
  const [own, others] = [document, next].map((one) =>
    [...one.head.querySelectorAll("link[rel=stylesheet], script[src]")].map(
      (file) => file.getAttribute("href") ?? file.getAttribute("src"),
    ),
  );
  return others?.some((file) => !own?.includes(file)) ?? false;
}

/** @param {Element} from @param {Element} to */
function changeAttributes(from, to) {
  // Whether it is open is the reader's choice; a class may be ours, and a time in the reader's zone, a box that is closed and a
  // heading that has the focus are.
  const kept = new Set(["open", "class", "data-local", "disabled", "tabindex"]);
  for (const { name, value } of [...to.attributes]) {
    if (from.getAttribute(name) !== value && name !== "open") from.setAttribute(name, value);
  }
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !kept.has(name)) from.removeAttribute(name);
  }
}

/** @param {Node} from @param {Node} to */
function changeText(from, to) {
  from.nodeValue = to.nodeValue;
  const fact = from.parentElement?.closest("[data-fact]");
  if (!fact) return;
  fact.classList.add("is-changed");
  setTimeout(() => fact.classList.remove("is-changed"), 2000);
}

/** The name of a node among its siblings; null if only its place identifies it. @param {Node} node */
function keyOf(node) {
  if (!(node instanceof Element)) return null;
  return node.id || node.getAttribute("data-row") || (node.hasAttribute("data-steady") ? "steady" : null);
}

/**
 * A list that is empty is another element than one with rows, and stays until the reader asks.
 * @param {Node} a
 * @param {Node} b
 * @param {boolean} isAsked
 */
function isAlike(a, b, isAsked) {
  if (keyOf(a) !== keyOf(b)) return false;
  return (a.nodeType === b.nodeType && a.nodeName === b.nodeName) || (keyOf(a) === "steady" && !isAsked);
}
