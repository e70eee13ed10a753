/** @module Stand-ins for a browser's model context, put into a page before anything of it runs; and calls of what was offered to them. */
import type { Page } from "playwright-core";

/**
 * Which of the two has a stand-in. Instead of the browser's own: `document`, `navigator`, `both`, `same` for both,
 * `neither`. Beside the browser's own: `alias`, no stand-in but the browser's under both names, as some have it; and
 * two ways to put one in the alias' place on the navigator, as who looks for tools does.
 */
export type Contexts =
  | "document"
  | "navigator"
  | "both"
  | "same"
  | "neither"
  | "alias"
  | "over the alias"
  | "instead of the alias";

type OfferedTool = {
  name: string;
  execute(input: unknown, options?: { signal?: AbortSignal }): Promise<unknown>;
};

type Recorder = {
  /** tools that are on offer now, by whose context they were offered to */
  offered: Record<"document" | "navigator", OfferedTool[]>;
  /** how often the alias was read, of which a browser warns */
  aliasReads: number;
  /** how often a tool was offered that was on offer */
  refusals: number;
  /** to end the call that is made with it */
  call: AbortController;
};

/** Gives the page these contexts alone. Without a browser's own, tools are kept where `offeredTo` finds them. */
export async function giveContexts(page: Page, contexts: Contexts): Promise<void> {
  await page.addInitScript((contexts) => {
    const recorder: Recorder = {
      offered: { document: [], navigator: [] },
      aliasReads: 0,
      refusals: 0,
      call: new AbortController(),
    };
    const contextOf = (holder: "document" | "navigator") => ({
      async registerTool(tool: OfferedTool, { signal }: { signal: AbortSignal }) {
        const tools = recorder.offered[holder];
        if (tools.some(({ name }) => name === tool.name)) {
          recorder.refusals += 1;
          throw new Error("Duplicate tool name");
        }
        tools.push(tool);
        signal.addEventListener("abort", () => tools.splice(tools.indexOf(tool), 1));
      },
    });
    const put = (holder: object, value: object) =>
      Object.defineProperty(holder, "modelContext", { value, configurable: true });
    Object.assign(window, { recorder });
    if (contexts.includes("alias")) {
      const read = () => {
        recorder.aliasReads += 1;
        return Reflect.get(document, "modelContext");
      };
      const standIn = contextOf("navigator");
      // A bound function shows itself as the browser's own do.
      const get = contexts === "instead of the alias" ? () => standIn : read.bind(null);
      Object.defineProperty(Navigator.prototype, "modelContext", { get, configurable: true });
      if (contexts === "over the alias") put(navigator, standIn);
      return;
    }
    Reflect.deleteProperty(Document.prototype, "modelContext");
    const own = contextOf("document");
    if (contexts === "document" || contexts === "both" || contexts === "same") put(document, own);
    if (contexts === "navigator" || contexts === "both") put(navigator, contextOf("navigator"));
    if (contexts === "same") put(navigator, own);
  }, contexts);
}

/** Names of the tools that are on offer to each now. */
export function offeredTo(page: Page): Promise<Record<"document" | "navigator", string[]>> {
  return page.evaluate(() => {
    const { offered } = (window as unknown as { recorder: Recorder }).recorder;
    const names = (tools: OfferedTool[]) => tools.map(({ name }) => name);
    return { document: names(offered.document), navigator: names(offered.navigator) };
  });
}

/** How often so far the alias was read, and a tool was offered that was on offer. */
export function missteps(page: Page): Promise<Pick<Recorder, "aliasReads" | "refusals">> {
  return page.evaluate(() => {
    const { aliasReads, refusals } = (window as unknown as { recorder: Recorder }).recorder;
    return { aliasReads, refusals };
  });
}

/** Calls a tool as an agent does that was given it; `isEnded` before it begins. */
export function callOffered(
  page: Page,
  holder: "document" | "navigator",
  name: string,
  input: unknown,
  { isEnded = false } = {},
): Promise<unknown> {
  return page.evaluate(
    async ([holder, name, input, isEnded]) => {
      const { recorder } = window as unknown as { recorder: Recorder };
      recorder.call = new AbortController();
      if (isEnded) recorder.call.abort();
      const tool = recorder.offered[holder].find((tool) => tool.name === name);
      return tool?.execute(input, { signal: recorder.call.signal });
    },
    [holder, name, input, isEnded] as const,
  );
}

/** Ends the call that is being made. */
export function endCall(page: Page): Promise<void> {
  return page.evaluate(() => (window as unknown as { recorder: Recorder }).recorder.call.abort());
}
