/** @module The MCP face: four read-only tools over streamable HTTP. Interface document, "Tool endpoint (/mcp)". */
import { McpServer } from "@modelcontextprotocol/server";
import type { Hono } from "hono";
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import { quote } from "../../config/format/untrusted-text.ts";
import { jsonKey } from "../../config/json-key.ts";
import type { Logger } from "../../config/log.ts";
import { DatabaseSilentError } from "../database/checkpoint.ts";
import { NoSlotError, type Slots } from "../http/slots.ts";
import { inStep, ReorganisingError } from "../ledger/in-step.ts";
import { handOver } from "../market/sentences.ts";
import type { MarketSource } from "../market/snapshot.ts";
import { MCP_REVISIONS, SERVER_NAME, SERVER_TITLE, TOOLS } from "./catalog.ts";
import { createEndpoint } from "./endpoint.ts";
import type { Tool, ToolContext } from "./tool.ts";
import { ALLOWED_WORDS, asInputSchema, asOutputSchema, boundedInputSchema } from "./tool-schema.ts";

/** The first thing that a client's model reads: 2 to 4 sentences. */
function instructionsFor({
  publicSettings,
  contracts: { name, isModule },
}: Pick<ServerDependencies, "publicSettings" | "contracts">): string {
  const place = `chain ${publicSettings.chainId}${isModule ? `, contracts of ${name}` : ""}`;
  return `Raisebook is the open, read-only book of a fundraising marketplace on a test network (${place}): no value here is real. Start with list_deals or list_businesses, read one raise with get_deal, and look up rules with search_knowledge. Amounts are base-unit strings with 18 decimals, rates are basis points, and what is said of the market is as of the block in asOf. Nothing here can move money, and only a person can sign: recommend, and ${handOver(publicSettings)}.`;
}

/** Milliseconds for which a client may keep the list of tools: it changes only with the service. */
const LIST_LIFETIME = 300_000;

const LISTED = TOOLS.map((tool) => {
  const { title, description, input, output } = tool;
  const schemas = { inputSchema: asInputSchema(input), outputSchema: asOutputSchema(output) };
  return { tool, listed: { title, description, ...schemas, annotations: { readOnlyHint: true } } };
});

type ServerDependencies = Omit<ToolContext, "snapshot"> & {
  updater: MarketSource;
  /** the queue of all expensive questions */
  slots: Slots;
  version: string;
  log: Logger;
};

function createToolServer(deps: ServerDependencies): McpServer {
  const cacheHint = { ttlMs: LIST_LIFETIME, cacheScope: "public" } as const;
  const { publicUrl } = deps.publicSettings;
  const server = new McpServer(
    { name: SERVER_NAME, title: SERVER_TITLE, version: deps.version, websiteUrl: publicUrl },
    {
      instructions: instructionsFor(deps),
      cacheHints: { "tools/list": cacheHint, "server/discover": cacheHint },
      // The library offers the first to a client that asks for any other revision.
      supportedProtocolVersions: MCP_REVISIONS.toReversed(),
    },
  );
  for (const { tool, listed } of LISTED) {
    server.registerTool(tool.name, listed, (args) => callTool(tool, deps, args));
  }
  // The list never changes; the library would promise notifications of changes.
  server.server.registerCapabilities({ tools: { listChanged: false } });
  return server;
}

/** Calls a tool. An internal failure goes to the log, never to the caller. */
async function callTool(tool: Tool, deps: ServerDependencies, args: unknown) {
  const { exposeAccounts, publicSettings, contracts, search, slots, log } = deps;
  const parsed = tool.input.safeParse(args);
  if (!parsed.success) return advise(adviceOn(tool, parsed.error, args));
  const answer = () =>
    inStep(deps, (snapshot, ledger) => {
      const work = () =>
        answerOf(tool, { snapshot, ledger, exposeAccounts, publicSettings, contracts, search }, parsed.data);
      // One slot per attempt, so that waiting for the market holds none.
      return tool.isExpensive?.(parsed.data) ? slots.take(work) : work();
    });
  try {
    const source = sourceOf(tool, deps, parsed.data);
    if (source === null) return await answer();
    const key = `${tool.name} ${jsonKey(parsed.data)}`;
    const answers = kept.get(source) ?? new LRUCache<string, Answer>({ max: MOST_ANSWERS });
    kept.set(source, answers);
    const known = answers.get(key) ?? answer();
    answers.set(key, known);
    // A cached failure would last until the next block.
    known.catch(() => answers.delete(key));
    return await known;
  } catch (error) {
    if (error instanceof NoSlotError)
      return advise("Too many questions are waiting: try again in a few seconds.");
    if (error instanceof ReorganisingError) return advise(error.message);
    log.error({ msg: "A tool failed", tool: tool.name, error });
    if (error instanceof DatabaseSilentError) {
      return advise("The events cannot be read at the moment: try again in a few seconds.");
    }
    return advise("Something went wrong inside the service: try again in a few seconds.");
  }
}

/** The only source of an answer besides the arguments: the answer is kept as long as the source is current. Null if there are more. */
function sourceOf(
  tool: Tool,
  { updater, search }: Pick<ServerDependencies, "updater" | "search">,
  args: Readonly<Record<string, unknown>>,
): object | null {
  const snapshot = updater.current();
  if (snapshot === null || tool.readsLedger?.(args)) return null;
  return tool.isSearch && !search.isComplete(snapshot.market) ? null : snapshot;
}

type Answer = ReturnType<typeof answerOf>;

/**
 * Answers by market. The endpoint keeps those to equal messages, but many clients put their own token into each (`_meta`), or write the
 * arguments in another order.
 */
const kept = new WeakMap<object, LRUCache<string, Answer>>();
const MOST_ANSWERS = 200;

async function answerOf(tool: Tool, context: ToolContext, args: unknown) {
  const outcome = await tool.run(context, args as never);
  if ("advice" in outcome) return advise(outcome.advice);
  // Clients throw on a key that the schema does not have.
  const facts = tool.output.parse(outcome.facts);
  const text = outcome.text ?? JSON.stringify(facts);
  return { content: [{ type: "text" as const, text }], structuredContent: facts };
}

function advise(text: string) {
  return { content: [{ type: "text" as const, text }], isError: true };
}

export function createMcp(deps: ServerDependencies): Hono {
  const { publicSettings, log } = deps;
  return createEndpoint({
    makeServer: () => createToolServer(deps),
    isTool: (name) => TOOLS.some((tool) => tool.name === name),
    sourceOf(name, args) {
      const tool = TOOLS.find((one) => one.name === name);
      return tool === undefined ? null : sourceOf(tool, deps, args);
    },
    hostnames: [new URL(publicSettings.publicUrl).hostname, "127.0.0.1", "localhost", "[::1]"],
    description: describeEndpoint(publicSettings.publicUrl),
    onError: (error) => log.debug({ msg: "A message to the tool endpoint was refused", error }),
  });
}

/** The answer to a plain GET. Interface document: "a plain description of the tool server". */
function describeEndpoint(publicUrl: string): string {
  return [
    `${SERVER_TITLE}: a read-only tool server (Model Context Protocol, streamable HTTP, no authentication).`,
    "",
    `Send JSON-RPC messages with POST to ${publicUrl}/v1/mcp, or to ${publicUrl}/mcp.`,
    "",
    ...TOOLS.map(({ name, title }) => `- ${name}: ${title}`),
    "",
    "No tool can move money, bind a wallet or read anything that belongs to an account.",
    `All about it: ${publicUrl}/knowledge/using-the-tools`,
    "",
  ].join("\n");
}

/** A property of a tool's input as it is listed: flat, and in these forms only. */
type Property = {
  type: "string" | "integer" | "array";
  enum?: readonly string[];
  description?: string;
  items?: { enum?: readonly string[]; [ALLOWED_WORDS]?: readonly string[] };
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};

/** A model can get any number of arguments wrong. */
const MOST_SENTENCES = 3;

function adviceOn({ name, input }: Tool, { issues }: z.ZodError, args: unknown): string {
  const { properties } = boundedInputSchema(input) as { properties: Record<string, Property> };
  const given = (args ?? {}) as Record<string, unknown>;
  const sentences = issues.map((issue) => {
    if (issue.code === "unrecognized_keys") {
      const unknown = issue.keys.slice(0, MOST_SENTENCES).map((key) => quote(key));
      return `There is no argument ${unknown.join(", ")}; ${name} takes ${Object.keys(properties).join(", ")}.`;
    }
    const argument = String(issue.path[0] ?? "");
    const property = properties[argument];
    if (property === undefined) return `The arguments of ${name} must be an object.`;
    const value = Object.hasOwn(given, argument) ? given[argument] : undefined;
    const was = value === undefined ? "it is missing" : `it was ${quote(value)}`;
    return `\`${argument}\` must be ${formOf(property, value)}; ${was}.`;
  });
  return [...new Set(sentences)].slice(0, MOST_SENTENCES).join(" ");
}

function formOf(property: Property, given: unknown): string {
  const { type, enum: words, items, minLength, maxLength, minimum, maximum, description = "" } = property;
  if (words !== undefined) return `one of ${words.join(", ")}`;
  const allowed = items?.enum ?? items?.[ALLOWED_WORDS];
  if (allowed !== undefined) return `an array of any of ${allowed.join(", ")}`;
  if (type === "integer") return `an integer from ${minimum} to ${maximum}`;
  const bounds = `string of ${minLength ?? 0} to ${maxLength} characters`;
  return Array.isArray(given) ? `one ${bounds}: ${description.replace(/\.$/, "")}` : `a ${bounds}`;
}
