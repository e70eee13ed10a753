/**
 * Offers the tools of the endpoint to an agent in the visitor's browser. Stands in each page as an inline script, which
 * `script.ts` makes of this file: without its comments, and with the service's constants behind it.
 *
 * @typedef {{ name: string, title: string, description: string, inputSchema: object }} ListedTool
 * @typedef {{ endpoint: string, revision: string, tools: ListedTool[] }} Service
 * @typedef {{ content: unknown[], structuredContent?: unknown, isError?: boolean }} ToolResult
 * @typedef {{ registerTool(tool: object, options: { signal: AbortSignal }): unknown }} ModelContext
 */

/**
 * Registers the tools for as long as the page is shown: one that is kept for the way back offers nothing meanwhile.
 *
 * @param {Service} service
 */
export function offerTools(service) {
  const contexts = modelContexts();
  let offer = new AbortController();
  const offerAll = () => {
    offer = new AbortController();
    for (const context of contexts) {
      for (const tool of service.tools) register(context, service, tool, offer.signal);
    }
  };
  offerAll();
  addEventListener("pagehide", () => offer.abort());
  addEventListener("pageshow", (event) => {
    if (event.persisted) offerAll();
  });
}

/**
 * The contexts in which tools can be offered. Some browsers have the document's context on `navigator` too, by its former
 * name, and warn when it is read there. A context that another script put there is separate from the document's.
 *
 * @returns {ModelContext[]}
 */
function modelContexts() {
  const isAlias = isBuiltIn(document, Document) && isBuiltIn(navigator, Navigator);
  const holders = isAlias ? [document] : [document, navigator];
  return [...new Set(holders.map(contextOf))].filter((context) => context !== null);
}

/** @param {object} holder @returns {ModelContext | null} */
function contextOf(holder) {
  try {
    return Reflect.get(holder, "modelContext") ?? null;
  } catch {
    return null;
  }
}

/**
 * Whether the browser itself gives the holder its context. Reads no property, only how it is made.
 *
 * @param {object} holder
 * @param {{ prototype: object }} type
 */
function isBuiltIn(holder, type) {
  if (Object.hasOwn(holder, "modelContext")) return false;
  const getter = Object.getOwnPropertyDescriptor(type.prototype, "modelContext")?.get;
  return getter !== undefined && Function.prototype.toString.call(getter).includes("[native code]");
}

/**
 * Tools that cannot be registered are not offered; the page goes on.
 *
 * @param {ModelContext} context
 * @param {Service} service
 * @param {ListedTool} tool
 * @param {AbortSignal} signal
 */
async function register(context, service, tool, signal) {
  const offered = {
    ...tool,
    annotations: { readOnlyHint: true, untrustedContentHint: true },
    /** @type {(input: unknown, options?: { signal?: AbortSignal }) => Promise<ToolResult>} */
    execute: (input, options) => callTool(service, tool.name, input, options?.signal),
  };
  try {
    await context.registerTool(offered, { signal });
  } catch {}
}

/**
 * Asks the endpoint, which checks the arguments. Never rejects: an agent can only act on what it is told.
 *
 * @param {Service} service
 * @param {string} name
 * @param {unknown} input
 * @param {AbortSignal} [signal]
 * @returns {Promise<ToolResult>}
 */
async function callTool({ endpoint, revision }, name, input, signal) {
  const key = "io.modelcontextprotocol/";
  const _meta = { [`${key}protocolVersion`]: revision, [`${key}clientCapabilities`]: {} };
  const params = { name, arguments: input ?? {}, _meta };
  try {
    const response = await fetch(endpoint, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": revision,
        "Mcp-Method": "tools/call",
        "Mcp-Name": name,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      credentials: "omit",
      redirect: "error",
      signal,
    });
    return resultOf(response, await response.text());
  } catch {
    return advise(
      signal?.aborted
        ? "The call was ended before its answer came: call again if it is still wanted."
        : "The service could not be asked: see that the connection works, then call again.",
    );
  }
}

/** @param {Response} response @param {string} text @returns {ToolResult} */
function resultOf({ ok, status, headers }, text) {
  if (status === 429 || status >= 500) {
    const seconds = headers.get("Retry-After") ?? "";
    const pause = /^\d{1,5}$/.test(seconds) ? `${seconds} seconds` : "a few seconds";
    return advise(`The service cannot answer now (HTTP ${status}): call again in ${pause}.`);
  }
  const { result, error } = parse(text);
  if (ok && Array.isArray(result?.content)) {
    const { content, structuredContent, isError } = result;
    return { content, structuredContent, isError };
  }
  const message = typeof error?.message === "string" ? error.message : null;
  if (ok && message === null) {
    return advise("The answer of the service could not be read: call again in a few seconds.");
  }
  const why = message ?? `HTTP ${status}`;
  return advise(
    `The service refused the call (${why}): send an object of arguments that fits the tool's schema.`,
  );
}

/** @param {string} text @returns {{ result?: ToolResult, error?: { message?: unknown } }} */
function parse(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** @param {string} text @returns {ToolResult} */
function advise(text) {
  return { content: [{ type: "text", text }], isError: true };
}
