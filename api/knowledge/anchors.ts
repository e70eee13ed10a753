/**
 * The anchors of a page's headings: the same that GitHub gives them, so that a link works in both places.
 * @module
 */

/** Everything but letters, marks, numbers, connectors such as `_`, hyphens and spaces. */
const NOT_IN_ANCHORS = /[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu;

/** A function that gives each heading of one page its anchor, in the order of the page: a repeated one gets a number. */
export function createAnchors(): (heading: string) => string {
  /** anchors given out so far, each with the last number that was put behind it */
  const numbers = new Map<string, number>();
  return (heading) => {
    const plain = heading.trim().toLowerCase().replace(NOT_IN_ANCHORS, "").replaceAll(" ", "-");
    let anchor = plain;
    for (let number = numbers.get(plain) ?? 0; numbers.has(anchor); anchor = `${plain}-${number}`) {
      number++;
      numbers.set(plain, number);
    }
    numbers.set(anchor, 0);
    return anchor;
  };
}
