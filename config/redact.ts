/**
 * Removes keys and passwords from text before anyone reads it. Ponder and viem print whole URLs in their errors, and some
 * nodes repeat the key in an error message.
 * @module
 */
import type { Settings } from "./environment.ts";

export type Redact = (text: string) => string;

/** Replaces a secret. */
const HIDDEN = "…";

/** Shorter secrets are hidden only within their URL: "v2" could be on every second line of a log. */
const SHORTEST_SECRET = 6;

/** Parts of URLs that are not secret and occur elsewhere in logs: of nodes and documents, and of targets of webhooks. */
const ORDINARY_WORDS = [
  /^(?:archive|binance|ethereum|json-?rpc|mainnet|raisebook|registry(?:\.json)?|testnet)$/i,
  /^(?:callback|event|listing|message|notification|raise|reader|receiver|service|stream|target|webhook)s?$/i,
];

/** Characters that end a URL in running text: spaces, quotes, angle brackets, escapes, control characters. */
const ENDS_URL = String.raw`\s"'\x60<>\\\p{Cc}`;
const IN_URL = `[^${ENDS_URL}]`;
const IN_USER = `[^/${ENDS_URL}]`;

/** A default port, written out or not. */
const DEFAULT_PORT = String.raw`(?::(?:80|443|5432)\b|(?!:\d))`;

/** Hides the secrets of these settings. */
export function redactorOf(
  settings: Pick<Settings, "rpcUrls" | "wsUrl" | "registry" | "ledger" | "database">,
): Redact {
  const { rpcUrls, wsUrl, registry, ledger, database } = settings;
  return createRedactor([
    ...rpcUrls,
    ...(wsUrl === null ? [] : [wsUrl]),
    ...("url" in registry ? [registry.url] : []),
    ...(ledger !== null && "url" in ledger ? [ledger.url] : []),
    ...(database.kind === "postgres" ? [database.connectionString, database.noticesUrl ?? []].flat() : []),
  ]);
}

/**
 * Hides the secrets in these URLs: everything around the host wherever a URL is written out, and parts of 6 or more
 * characters also on their own, in any encoding. Hosts stay readable.
 *
 * @param names public ones, such as of targets: they stay readable too
 * @example
 * createRedactor(["https://rpc.example/v2/KEY123"])("https://rpc.example/v2/KEY123: KEY123 is over its limit");
 * // https://rpc.example/…: … is over its limit
 */
export function createRedactor(urls: readonly string[], names: readonly string[] = []): Redact {
  const sources = [...new Set(urls)].map((text) => ({ text, url: new URL(text) }));
  const shown = [...sources.map(({ url }) => url.hostname), ...names.map((name) => name.toLowerCase())];
  const parts = sources
    .flatMap(({ url }) => secretParts(url))
    .filter((part) => part.length >= SHORTEST_SECRET && !ORDINARY_WORDS.some((words) => words.test(part)))
    // A part of a host is not secret, and hiding it would hide the host.
    .filter((part) => !shown.some((text) => text.includes(part.toLowerCase())));
  const steps = [
    // First exactly as given: it may contain characters that end a URL in running text.
    ...sources.map(({ text, url }) => replacing(anyOf(spellings(text)), () => masked(url))),
    ...sources.map(({ url }) => replacing(writtenOut(url), maskedMatch)),
    replacing(anyOf(parts.flatMap(spellings)), () => HIDDEN),
  ];
  return (text) => steps.reduce((result, step) => step(result), text);
}

/** Ignores case: hex digits and hosts are written both ways. */
function replacing(pattern: string | null, replacement: (...match: string[]) => string): Redact {
  if (pattern === null) return (text) => text;
  const expression = new RegExp(pattern, "giu");
  return (text) => text.replace(expression, replacement);
}

/** The parts of a URL that may grant access, which a database's user and name do not. */
function secretParts(url: URL): string[] {
  const { protocol, username, password, pathname, search, hash } = url;
  const fields = search.slice(1).split("&");
  const queryValue = (field: string) => field.slice(field.indexOf("=") + 1);
  const secret = fields.filter((field) => /^[^=]*(?:pass|secret|token)/i.test(field));
  if (/^postgres/.test(protocol)) return [password, ...secret.map(queryValue)];
  const credentials = basicCredentials(url);
  const pair = credentials === null ? [] : [`${username}:${password}`, credentials];
  return [username, password, ...pair, ...pathname.split("/"), ...fields.map(queryValue), hash.slice(1)];
}

/** A URL's user name and password, encoded for HTTP Basic authentication; null when it has neither. */
export function basicCredentials({ username, password }: URL): string | null {
  if (username === "" && password === "") return null;
  return Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64");
}

/** A part as given, percent-decoded and -encoded, and each of these in JSON or in JSON within JSON. */
function spellings(part: string): string[] {
  const plain = [part, decoded(part), decoded(part.replaceAll("+", " ")), encodeURIComponent(decoded(part))];
  return plain.flatMap((text) => [text, inJson(text), inJson(inJson(text))]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A lone % is allowed in a URL.
  }
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A pattern for the URL in running text, with any scheme, user and path; null when nothing in it is secret. */
function writtenOut(url: URL): string | null {
  const { protocol, host, hostname, port } = url;
  if (hostname === "" || masked(url) === `${protocol}//${host}`) return null;
  const place = literal(hostname) + (port === "" ? DEFAULT_PORT : String.raw`:${port}(?!\d)`);
  return `//(${IN_USER}*@)?(${place})([/?#]${IN_URL}*)?`;
}

function maskedMatch(_match: string, user = "", host = "", tail = ""): string {
  return `//${user && `${HIDDEN}@`}${host}${tail.length > 1 ? `/${HIDDEN}` : tail}`;
}

function masked({ protocol, username, password, host, pathname, search, hash }: URL): string {
  const tail = pathname.slice(1) + search + hash && HIDDEN.repeat(2);
  return protocol + maskedMatch("", username + password, host, tail);
}

/** A pattern for any of these texts, the longest first; null for none. */
function anyOf(texts: readonly string[]): string | null {
  const patterns = [...new Set(texts)].sort((a, b) => b.length - a.length).map(literal);
  return patterns.length === 0 ? null : patterns.join("|");
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
