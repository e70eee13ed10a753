/**
 * The packages around graphql-js, loaded by Node itself. The loader that Ponder runs this in would transform them and
 * give them a copy of graphql-js of their own, and no copy knows the types of another: every query would fail.
 * @module
 */
import { once } from "node:events";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import type { renderGraphiQL } from "@graphql-yoga/render-graphiql";

const load = createRequire(import.meta.url);

export const { createYoga } = load("graphql-yoga") as typeof import("graphql-yoga");
export const { getComplexity } = load(
  "graphql-query-complexity",
) as typeof import("graphql-query-complexity");
export const { maxAliasesRule } = load(
  "@escape.tech/graphql-armor-max-aliases",
) as typeof import("@escape.tech/graphql-armor-max-aliases");
export const { maxDepthRule } = load(
  "@escape.tech/graphql-armor-max-depth",
) as typeof import("@escape.tech/graphql-armor-max-depth");
export const { maxTokensPlugin } = load(
  "@escape.tech/graphql-armor-max-tokens",
) as typeof import("@escape.tech/graphql-armor-max-tokens");

/**
 * The page that the package of the console makes. It is read in a thread of its own: that takes a third of a second and 40 MB, which
 * are free again when the thread ends.
 */
export async function renderConsole(options: Parameters<typeof renderGraphiQL>[0]): Promise<string> {
  const script = `const { parentPort, workerData } = require("node:worker_threads");
    parentPort.postMessage(require(workerData.file).renderGraphiQL(workerData.options).trim());`;
  const file = load.resolve("@graphql-yoga/render-graphiql");
  const thread = new Worker(script, { eval: true, workerData: { file, options } });
  // An error in the thread rejects.
  const [page] = await once(thread, "message");
  return String(page);
}
