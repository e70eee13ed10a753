/** @module A walk over a page by keyboard alone. */
import type { Page } from "playwright-core";

type Stop = {
  /** the element's opening tag */
  tag: string;
  /** its place among all that should be reached, or -1: something that is only scrolled */
  order: number;
  isScrolled: boolean;
  /** whether it looks other than without the focus */
  isIndicated: boolean;
  /** whether it, and not another thing, is seen where it stands */
  isSeen: boolean;
};

export type Walk = {
  stops: Stop[];
  /** how many elements should be reached */
  reachable: readonly string[];
  /** whether the walk came to the end of the page, and out of it */
  isOut: boolean;
};

type Baseline = { element: Element; look: string };

declare global {
  interface Window {
    raisebookWalk?: { all: Baseline[]; lookOf: (element: Element) => string };
  }
}

const MOST_STOPS = 600;

/** Presses Tab from the beginning of the page to its end, or backwards. */
export async function walk(page: Page, key: "Tab" | "Shift+Tab" = "Tab"): Promise<Walk> {
  const reachable = await prepare(page);
  const stops: Stop[] = [];
  let isOut = false;
  while (stops.length < MOST_STOPS) {
    await page.keyboard.press(key);
    const stop = await look(page);
    const first = stops[0];
    // A window without a frame begins again where another would come to its address bar.
    isOut = stop === null || (first !== undefined && stop.order === first.order && stop.tag === first.tag);
    if (stop === null || isOut) break;
    const isBack = stop.order >= 0 && stops.some(({ order }) => order === stop.order);
    stops.push(stop);
    if (isBack) break;
  }
  return { stops, reachable, isOut };
}

/** Notes what can be reached, and how each looks without the focus. Returns the opening tags. */
function prepare(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const reachable = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]";
    const lookOf = (element: Element) => {
      const { outlineStyle, outlineWidth, outlineColor, boxShadow, backgroundColor, borderColor } =
        getComputedStyle(element);
      const outline =
        outlineStyle === "none" || outlineWidth === "0px" ? "none" : `${outlineStyle} ${outlineColor}`;
      return [outline, boxShadow, backgroundColor, borderColor].join(" / ");
    };
    const all = [...document.querySelectorAll<HTMLElement>(reachable)].filter(
      (element) =>
        element.tabIndex >= 0 &&
        // In a group of radio buttons, Tab reaches the chosen one.
        !element.matches(":disabled, [type=radio]:not(:checked)") &&
        element.checkVisibility({ visibilityProperty: true }),
    );
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.getSelection()?.removeAllRanges();
    window.raisebookWalk = { all: all.map((element) => ({ element, look: lookOf(element) })), lookOf };
    return all.map((element) => element.outerHTML.slice(0, 100));
  });
}

/** The element with the focus; null if it is outside the page. */
function look(page: Page): Promise<Stop | null> {
  return page.evaluate(async () => {
    const element = document.activeElement;
    const walk = window.raisebookWalk;
    if (element === null || element === document.body || walk === undefined) return null;
    // Scrolling into view is done by the next frame.
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const order = walk.all.findIndex((one) => one.element === element);
    const rects = [...element.getClientRects()];
    const isAt = (x: number, y: number) => {
      const top = document.elementFromPoint(x, y);
      return top !== null && (element.contains(top) || top.contains(element));
    };
    const isSeen = rects.some((rect) => {
      const x = Math.min(Math.max(rect.x + rect.width / 2, 1), window.innerWidth - 1);
      const y = Math.min(Math.max(rect.y + rect.height / 2, 1), window.innerHeight - 1);
      const isInWindow =
        rect.bottom > 0 && rect.top < window.innerHeight && rect.right > 0 && rect.left < window.innerWidth;
      return isInWindow && isAt(x, y);
    });
    return {
      tag: element.outerHTML.slice(0, 100),
      order,
      isScrolled: element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
      isIndicated: walk.lookOf(element) !== walk.all[order]?.look,
      isSeen,
    };
  });
}
