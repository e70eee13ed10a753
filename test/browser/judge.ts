/** @module The faults of a page as it stands: its width, and the findings of axe. */
import axe from "axe-core";
import type { Page } from "playwright-core";

/** Everything that axe knows of WCAG up to 2.2 AA, and its good practices. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** A line for each thing that is wider than the window, of a page that can be scrolled sideways; else none. */
export function overflows(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth } = document.documentElement;
    if (scrollWidth <= window.innerWidth) return [];
    const wide = [...document.querySelectorAll("body *")]
      .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
      .map((element) => element.outerHTML.slice(0, 120));
    return [`${scrollWidth} px wide in a window of ${window.innerWidth}`, ...wide.slice(-5)];
  });
}

/** The one rule that depends on whether it is light or dark. */
export const CONTRAST = ["color-contrast"];

/** A line for each element that breaks a rule of axe: the rule, where, and why. All rules, unless some are named. */
export async function axeFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Colours that are still on their way from one theme to the other would be measured.
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const options: axe.RunOptions = {
    runOnly: rules === undefined ? TAGS : { type: "rule", values: [...rules] },
    resultTypes: ["violations"],
    // Only our own sheets: nothing is to be fetched again.
    preload: false,
  };
  const { violations } = await page.evaluate(
    (options) => (window as unknown as { axe: typeof axe }).axe.run(document, options),
    options,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) =>
      `${id}: ${target.join(" ")} ${failureSummary ?? ""}`.replace(/\s+/g, " "),
    ),
  );
}
