/**
 * The reader that messages are made from: one of this service's own, by the interface that everybody has.
 * @module
 */
import { abortable } from "../client/fetch.ts";
import { createRaisebookClient } from "../client/index.ts";
import type { Settings } from "../config/environment.ts";
import type { Log } from "../config/log.ts";
import packageJson from "../package.json" with { type: "json" };

export type Source = {
  /** ends in `/v1` */
  readonly baseUrl: string;
  readonly userAgent: string;
  /** The visible listings by public id, each with its originator's. @throws {ReaderError} when the reader does not answer */
  listings(): Promise<ReadonlyMap<string, string>>;
  fetch(request: Request): Promise<Response>;
};

/** The reader does not say what it is asked for. That is in the log already. */
export class ReaderError extends Error {
  override readonly name = "ReaderError";
}

/** Milliseconds for an answer that is no stream. */
const TIMEOUT = 30_000;

const EVERYWHERE: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };

/** The root of the reader's URL: that of `WEBHOOKS_READER`, or the one that these settings start on this machine. */
export function readerOf({ webhooksReader, host, port }: Pick<Settings, "webhooksReader" | "host" | "port">) {
  const name = EVERYWHERE[host] ?? (host.includes(":") ? `[${host}]` : host);
  return webhooksReader ?? `http://${name}:${port}`;
}

/** Logs when the reader falls silent, and when it answers again: once for all targets. */
export function createSource(root: string, log: Log): Source {
  const baseUrl = `${root}/v1`;
  const userAgent = `raisebook-deliver/${packageJson.version}`;
  let isSilent = false;
  const silent = (facts: object) => {
    if (!isSilent) log.warn({ msg: "The reader does not answer; no webhook is made meanwhile", ...facts });
    isSilent = true;
  };
  const send = abortable();
  const ask = async (request: Request): Promise<Response> => {
    const response = await send(request).catch((error: Error) => {
      if (error.name !== "AbortError") silent({ reason: codeOf(error) });
      throw error;
    });
    const isProblem = response.headers.get("Content-Type")?.startsWith("application/problem+json") === true;
    if (response.status >= 500 || !(response.ok || isProblem)) silent({ status: response.status });
    else if (isSilent) {
      isSilent = false;
      log.info({ msg: "The reader answers again" });
    }
    return response;
  };
  const askInTime = (request: Request) => ask(new Request(request, { signal: AbortSignal.timeout(TIMEOUT) }));
  const book = createRaisebookClient({ baseUrl, userAgent, fetch: askInTime });
  return {
    ...{ baseUrl, userAgent, fetch: ask },
    async listings() {
      const { originators } = await book.get("/originators").catch((error) => {
        throw new ReaderError(String(error), { cause: error });
      });
      return new Map(
        originators.flatMap(({ publicId, listings }) =>
          listings.map((listing) => [listing.publicId, publicId]),
        ),
      );
    },
  };
}

function codeOf(error: Error): string {
  const { code } = (error.cause ?? error) as NodeJS.ErrnoException;
  return typeof code === "string" ? code : error.name;
}
