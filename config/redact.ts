/**
 * Takes keys and passwords out of text before anybody reads it. Ponder and viem print whole URLs in their errors, and
 * some nodes repeat a key in their refusal.
 * @module
 */
import type { Settings } from "./environment.ts";

export type Redact = (text: string) => string;

/** In place of a secret. */
const HIDDEN = "…";

/** Anything shorter is hidden within its URL alone: "v2" may stand in every second line of a log. */
const SHORTEST_SECRET = 6;

/** Parts of URLs that are no keys, and that a log needs for other things. */
const ORDINARY_WORDS =
  /^(?:archive|binance|ethereum|json-?rpc|mainnet|raisebook|registry(?:\.json)?|testnet)$/i;

/** What a URL in running text ends at: a space, a quote, an angle bracket, an escape, a control character. */
const ENDS_URL = String.raw`\s"'\x60<>\\\p{Cc}`;
const IN_URL = `[^${ENDS_URL}]`;
const IN_USER = `[^/${ENDS_URL}]`;

/** A port that goes without saying, said or not. */
const DEFAULT_PORT = String.raw`(?::(?:80|443|5432)\b|(?!:\d))`;

/** Hides what these settings keep secret. */
export function redactorOf(settings: Pick<Settings, "rpcUrls" | "wsUrl" | "registry" | "database">): Redact {
  const { rpcUrls, wsUrl, registry, database } = settings;
  return createRedactor([
    ...rpcUrls,
    ...(wsUrl === null ? [] : [wsUrl]),
    ...(registry.kind === "url" ? [registry.url] : []),
    ...(database.kind === "postgres" ? [database.connectionString] : []),
  ]);
}

/**
 * Hides the secret parts of these URLs: all that surrounds the host where a URL is written out, and parts of 6 characters
 * or more by themselves too, however they are spelled. Hosts stay readable.
 *
 * @example
 * createRedactor(["https://rpc.example/v2/KEY123"])("https://rpc.example/v2/KEY123: KEY123 is over its limit");
 * // https://rpc.example/…: … is over its limit
 */
export function createRedactor(urls: readonly string[]): Redact {
  const sources = [...new Set(urls)].map((text) => ({ text, url: new URL(text) }));
  const hosts = sources.map(({ url }) => url.hostname);
  const parts = sources
    .flatMap(({ url }) => secretParts(url))
    .filter((part) => part.length >= SHORTEST_SECRET && !ORDINARY_WORDS.test(part))
    // What a host says already is no secret, and hiding it would hide the host.
    .filter((part) => !hosts.some((host) => host.includes(part.toLowerCase())));
  const steps = [
    // As it was given first: it may hold what ends a URL in running text.
    ...sources.map(({ text, url }) => replacing(anyOf(spellings(text)), () => masked(url))),
    ...sources.map(({ url }) => replacing(writtenOut(url), maskedMatch)),
    replacing(anyOf(parts.flatMap(spellings)), () => HIDDEN),
  ];
  return (text) => steps.reduce((result, step) => step(result), text);
}

/** In any mixture of upper and lower case: hex digits and hosts are written both ways. */
function replacing(pattern: string | null, replacement: (...match: string[]) => string): Redact {
  if (pattern === null) return (text) => text;
  const expression = new RegExp(pattern, "giu");
  return (text) => text.replace(expression, replacement);
}

/** What of a URL may give access. The user and the name of a database do not. */
function secretParts(url: URL): string[] {
  const { protocol, username, password, pathname, search, hash } = url;
  const fields = search.slice(1).split("&");
  const queryValue = (field: string) => field.slice(field.indexOf("=") + 1);
  if (/^postgres/.test(protocol)) {
    return [
      password,
      ...fields.filter((field) => /^[^=]*(?:pass|secret|token)/i.test(field)).map(queryValue),
    ];
  }
  const credentials = basicCredentials(url);
  const pair = credentials === null ? [] : [`${username}:${password}`, credentials];
  return [username, password, ...pair, ...pathname.split("/"), ...fields.map(queryValue), hash.slice(1)];
}

/** User name and password of a URL as HTTP's Basic scheme sends them; null when it has neither. */
export function basicCredentials({ username, password }: URL): string | null {
  if (username === "" && password === "") return null;
  return Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64");
}

/** A part as it is, percent-decoded and -encoded, and each of these in a JSON text, or in one within another. */
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

/** The URL in running text, also with another scheme, user or path; null when there is nothing to hide in it. */
function writtenOut(url: URL): string | null {
  const { protocol, host, hostname, port } = url;
  if (hostname === "" || masked(url) === `${protocol}//${host}`) return null;
  const place = literal(hostname) + (port === "" ? DEFAULT_PORT : String.raw`:${port}(?!\d)`);
  return `//(${IN_USER}*@)?(${place})([/?#]${IN_URL}*)?`;
}

function maskedMatch(_found: string, user = "", host = "", tail = ""): string {
  return `//${user && `${HIDDEN}@`}${host}${tail.length > 1 ? `/${HIDDEN}` : tail}`;
}

function masked({ protocol, username, password, host, pathname, search, hash }: URL): string {
  return (
    protocol +
    maskedMatch("", username + password, host, pathname.slice(1) + search + hash && HIDDEN.repeat(2))
  );
}

/** A pattern for any of these texts, the longest first; null for none. */
function anyOf(texts: readonly string[]): string | null {
  const patterns = [...new Set(texts)].sort((a, b) => b.length - a.length).map(literal);
  return patterns.length === 0 ? null : patterns.join("|");
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
