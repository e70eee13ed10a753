/** @module Layout shifts of a page, as the browser reports them. */
import type { Page } from "playwright-core";

/** `value` as the Layout Instability API has it; `moved`: the elements, each with its place before and after in pixels. */
export type Shift = { value: number; moved: string[] };

declare global {
  interface Window {
    raisebookShifts?: Shift[];
  }
}

/** Notes each shift of layout that no click or key of the reader has just asked for. To be called before the page is opened. */
export function watchShifts(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const shifts: Shift[] = [];
    window.raisebookShifts = shifts;
    type Entry = PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
    };
    const nameOf = (node: Node | null) => {
      const element = node instanceof Element ? node : (node?.parentElement ?? null);
      return element === null ? "something gone" : `${element.localName}.${element.className}`;
    };
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
        if (hadRecentInput) continue;
        const moved = sources.map(({ node, previousRect: from, currentRect: to }) =>
          [nameOf(node), ...[from, to].map(({ x, y }) => `${Math.round(x)},${Math.round(y)}`)].join(" "),
        );
        shifts.push({ value, moved });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** The shifts so far; none on a page where nothing moves by itself. */
export function layoutShifts(page: Page): Promise<Shift[]> {
  return page.evaluate(() => window.raisebookShifts ?? []);
}
