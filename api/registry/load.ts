/** @module Loads the bytes of the registry document from a file or a URL, unless they are unchanged. */
import { open, stat } from "node:fs/promises";
import { basicCredentials } from "../../config/redact.ts";
import { isLoopbackHost, type RegistrySource } from "../../config/values.ts";
import { RegistryError } from "./parse.ts";

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
const DEFAULT_TIMEOUT = 10_000;
const MOST_REDIRECTS = 3;

/** Identifies a version of the source without reading it, like an entity tag. Opaque; null before the first load. */
export type Validators = Readonly<Record<string, string>> | null;

export type Loaded =
  | { readonly kind: "unchanged" }
  | { readonly kind: "document"; readonly bytes: Uint8Array; readonly validators: Validators };

export type LoadOptions = {
  /** The validators of the caller's copy: the result may then be `unchanged`. */
  readonly validators?: Validators;
  readonly maxBytes?: number;
  /** Milliseconds for the whole response of a URL, with redirects and body. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
};

/** @throws {RegistryError} when the source is unreadable. The message contains neither path nor URL. */
export function loadRegistry(source: RegistrySource, options: LoadOptions = {}): Promise<Loaded> {
  return source.kind === "file" ? loadFile(source.path, options) : loadUrl(source.url, options);
}

async function loadFile(
  path: string,
  { validators, maxBytes = DEFAULT_MAX_BYTES }: LoadOptions,
): Promise<Loaded> {
  try {
    const current = await fileValidators(path);
    if (validators && Object.entries(current).every(([name, value]) => validators[name] === value)) {
      return { kind: "unchanged" };
    }
    return { kind: "document", bytes: await readCapped(path, maxBytes), validators: current };
  } catch (error) {
    if (error instanceof RegistryError) throw error;
    throw new RegistryError([describeFileError(error)]);
  }
}

/** With times in nanoseconds, since two saves within a millisecond are two versions. */
async function fileValidators(path: string): Promise<Readonly<Record<string, string>>> {
  const stats = await stat(path, { bigint: true });
  if (!stats.isFile()) throw new RegistryError(["the registry is not a regular file"]);
  const { ino, size, mtimeNs, ctimeNs } = stats;
  return { ino: `${ino}`, size: `${size}`, mtime: `${mtimeNs}`, ctime: `${ctimeNs}` };
}

async function readCapped(path: string, maxBytes: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    return await collect(file.createReadStream({ autoClose: false }), maxBytes);
  } finally {
    await file.close();
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new RegistryError([`the document is larger than ${maxBytes} bytes`]);
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

function describeFileError(error: unknown): string {
  const code = errorCode(error);
  if (code === "ENOENT") return "the registry file does not exist";
  return `the registry file could not be read${code ? ` (${code})` : ""}`;
}

async function loadUrl(url: string, options: LoadOptions): Promise<Loaded> {
  const { validators = null, maxBytes = DEFAULT_MAX_BYTES, timeout = DEFAULT_TIMEOUT, signal } = options;
  const deadline = AbortSignal.timeout(timeout);
  try {
    const response = await request(url, validators, signal ? AbortSignal.any([signal, deadline]) : deadline);
    if (response.status === 304 && validators) {
      await response.body?.cancel();
      return { kind: "unchanged" };
    }
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new RegistryError([`the registry's server answered ${response.status}`]);
    }
    const bytes = response.body ? await collect(response.body, maxBytes) : new Uint8Array();
    return { kind: "document", bytes, validators: responseValidators(response.headers) };
  } catch (error) {
    if (error instanceof RegistryError) throw error;
    if (deadline.aborted)
      throw new RegistryError([`the registry's server did not answer within ${timeout} ms`]);
    const code = errorCode(error) ?? errorCode(error instanceof Error ? error.cause : null);
    throw new RegistryError([`the registry's server could not be reached${code ? ` (${code})` : ""}`]);
  }
}

/** Follows redirects itself: each hop must be as safe as the configured URL, and only the configured host gets the password. */
async function request(configured: string, validators: Validators, signal: AbortSignal): Promise<Response> {
  const first = new URL(configured);
  const credentials = basicCredentials(first);
  let url = withoutPassword(first);
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const headers = new Headers({ accept: "application/json", ...(validators ?? {}) });
    if (credentials !== null && url.origin === first.origin) {
      headers.set("authorization", `Basic ${credentials}`);
    }
    const response = await fetch(url, { headers, signal, redirect: "manual" });
    const location = response.headers.get("location");
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
    await response.body?.cancel();
    url = nextHop(location, url);
  }
  throw new RegistryError([`the registry's server redirects more than ${MOST_REDIRECTS} times`]);
}

function nextHop(location: string, from: URL): URL {
  if (!URL.canParse(location, from.href))
    throw new RegistryError(["the registry's server redirects to something that is not a URL"]);
  const url = withoutPassword(new URL(location, from.href));
  // Only loopback http may lead to loopback http: a public server must not direct us to a local service.
  const loopback = url.protocol === "http:" && from.protocol === "http:" && isLoopbackHost(url.hostname);
  if (url.protocol !== "https:" && !loopback) {
    throw new RegistryError(["the registry's server redirects to a URL that is not https"]);
  }
  return url;
}

/** `fetch` refuses URLs with a password. */
function withoutPassword(url: URL): URL {
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  return bare;
}

/** In the form of request headers for the next conditional GET. */
function responseValidators(headers: Headers): Validators {
  const etag = headers.get("etag");
  if (etag !== null) return { "if-none-match": etag };
  const modified = headers.get("last-modified");
  return modified === null ? null : { "if-modified-since": modified };
}

function errorCode(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" && /^[A-Z0-9_]+$/.test(code) ? code : null;
}
