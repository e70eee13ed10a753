/** @module The reader that supplies the events: one of this service's readers, through the public interface. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { abortable } from "../../client/fetch.ts";
import { createRaisebookClient } from "../../client/index.ts";
import { hasType, retryAfterOf } from "../../client/problem.ts";
import { DELIVERER_HEADER, DELIVERER_KEY } from "../../config/deliverer.ts";
import type { Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { localUrl } from "../../config/service-urls.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { Store } from "./store.ts";

export type ReaderClient = {
  /** ends in `/v1` */
  readonly baseUrl: string;
  readonly userAgent: string;
  /**
   * The visible listings by public id, each with its originator's, read after this moment (`performance.now()`). Callers share a read.
   * @throws {ReaderError} if the reader does not answer
   */
  listings(since: number): Promise<ReadonlyMap<string, string>>;
  /** @throws {ReaderError} if the answer is a page of something in between */
  fetch(request: Request): Promise<Response>;
};

/** The reader did not answer a request, or another server did. The cause has been logged. */
export class ReaderError extends Error {
  override readonly name = "ReaderError";
}

/** Milliseconds for an answer other than a stream. */
const TIMEOUT = 30_000;
/** Listings of a page. */
const PAGE = 200;

const SILENT = "The reader does not answer; no webhook is made meanwhile";
const REFUSED = "The reader refuses what webhooks are made from; it is asked again";

/** The root of the reader's URL: `WEBHOOKS_READER`, or the reader that these settings start on this machine. */
export function readerOf(settings: Pick<Settings, "webhooksReader" | "host" | "port">): string {
  return settings.webhooksReader ?? localUrl(settings);
}

/** The key by which the service's readers recognise the deliverer; created at the first start. */
export async function readerKey(store: Pick<Store, "get" | "put">): Promise<string> {
  const known = await store.get(DELIVERER_KEY);
  if (typeof known === "string") return known;
  const key = randomBytes(32).toString("base64url");
  await store.put(DELIVERER_KEY, key);
  return key;
}

/**
 * Logs when the reader stops answering or answers with an error, and when it recovers: once for all targets.
 * @param key sent to the reader, or null
 */
export function createReaderClient(root: string, log: Logger, key: string | null = null): ReaderClient {
  const baseUrl = `${root}/v1`;
  const userAgent = `raisebook-deliver/${packageJson.version}`;
  /** Failures by kind of request: streams may be refused while listings are not. */
  const failing = new Map<string, string>();
  const fails = (path: string, msg: string, facts: object) => {
    if (failing.get(path) !== msg) log.warn({ msg, path, ...facts });
    failing.set(path, msg);
  };
  const send = abortable();
  const ask = async (request: Request): Promise<Response> => {
    const { pathname: path } = new URL(request.url);
    if (key !== null) request.headers.set(DELIVERER_HEADER, key);
    const response = await send(request).catch((error: Error) => {
      if (error.name !== "AbortError") fails(path, SILENT, { reason: codeOf(error) });
      throw error;
    });
    const isProblem = hasType(response, "application/problem+json");
    const expected = path.endsWith("/stream") ? "text/event-stream" : "application/json";
    const isForeign = !isProblem && !(response.ok && hasType(response, expected));
    if (response.status >= 500 || response.status === 429 || isForeign)
      fails(path, REFUSED, { status: response.status, ...(await whyOf(response, isProblem)) });
    else if (failing.delete(path)) log.info({ msg: "The reader answers again", path });
    // By 429 a proxy limits the rate; any other page must not end what follows the stream.
    if (!isForeign || response.status === 429) return response;
    await response.body?.cancel();
    throw new ReaderError(`${path} answers ${response.status}, and not as the service does`);
  };
  const askInTime = async (request: Request): Promise<Response> => {
    const response = await ask(new Request(request, { signal: AbortSignal.timeout(TIMEOUT) }));
    if (response.status !== 429) return response;
    // A market of many pages is longer than what a limit allows at once.
    await sleep(retryAfterOf(response.headers.get("Retry-After"), Date.now()) ?? TIMEOUT);
    return askInTime(request);
  };
  const book = createRaisebookClient({ baseUrl, userAgent, fetch: askInTime });
  const readListings = async () => {
    const found = new Map<string, string>();
    try {
      for await (const { listings } of book.pages("/listings", { query: { limit: PAGE } }))
        for (const { publicId, originator } of listings) found.set(publicId, originator);
      return found;
    } catch (error) {
      const { pathname: path } = new URL(`${baseUrl}/listings`);
      // The answer has broken off, unless it is known what is wrong.
      if (!failing.has(path)) fails(path, SILENT, { reason: codeOf(error as Error) });
      throw new ReaderError(String(error), { cause: error });
    }
  };
  let latest = { begunAt: Number.NEGATIVE_INFINITY, found: Promise.resolve(new Map<string, string>()) };
  return {
    ...{ baseUrl, userAgent, fetch: ask },
    async listings(since) {
      if (latest.begunAt < since) await latest.found.catch(() => {});
      if (latest.begunAt < since) latest = { begunAt: performance.now(), found: readListings() };
      return latest.found;
    },
  };
}

/** The words of a refusal; empty if it cannot be read. */
async function whyOf(response: Response, isProblem: boolean): Promise<{ code?: unknown; detail?: unknown }> {
  if (!isProblem) {
    const type = response.headers.get("Content-Type") ?? "unknown";
    return { detail: `The answer is of the type ${type}, and not the service's.` };
  }
  try {
    const { code, detail } = (await response.clone().json()) as { code?: unknown; detail?: unknown };
    return { code, detail };
  } catch {
    return {};
  }
}

function codeOf(error: Error): string {
  const { code } = (error.cause ?? error) as NodeJS.ErrnoException;
  return typeof code === "string" ? code : error.name;
}
