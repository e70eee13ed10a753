/**
 * The types of configuration values. Each is a zod schema from a variable's text to its typed value. Every message
 * completes the sentence "<VARIABLE> …" and never repeats a URL, which may carry a password or a key.
 * @module
 */
import { isIP } from "node:net";
import { z } from "zod";
import { stripControl } from "./format/untrusted-text.ts";

/** A contract and the first block whose events count. The address is lowercase. */
export type DeployedContract = { readonly address: `0x${string}`; readonly startBlock: number };

/** Without the brackets that an IPv6 address has in a URL. */
export function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

/** Whether only this machine can reach a host; http is as safe as https there. */
export function isLoopbackHost(host: string): boolean {
  const name = bareHost(host.toLowerCase());
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === "::1" ||
    (isIP(name) === 4 && name.startsWith("127."))
  );
}

/** A zod transform with an early exit: `fail` adds an issue and stops reading. */
export function textTo<T>(read: (text: string, fail: (problem: string) => never) => T) {
  return z.string().transform((text, context): T => {
    const stop = Symbol("stop");
    const fail = (problem: string): never => {
      context.issues.push({ code: "custom", message: problem, input: text });
      throw stop;
    };
    try {
      return read(text.trim(), fail);
    } catch (thrown) {
      if (thrown === stop) return z.NEVER;
      throw thrown;
    }
  });
}

export type Fail = (problem: string) => never;

/** A value as shown in messages. Even a URL in the wrong variable may contain a key. */
export function quoted(text: string): string {
  return text.includes("://") ? "a URL" : `"${text}"`;
}

export function parseUrl(text: string, fail: Fail): URL {
  if (!URL.canParse(text)) fail("is not a URL");
  return new URL(text);
}

export function splitList(text: string): string[] {
  return text.split(",").map((item) => item.trim());
}

/** A decimal integer within inclusive bounds. */
export function integer(lowest: number, highest: number) {
  return textTo((text, fail) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= lowest && value <= highest))
      fail(`must be an integer from ${lowest} to ${highest}, not ${quoted(text)}`);
    return value;
  });
}

/** A URL with one of the schemes, exactly as given: an RPC key can be anywhere in it. */
function endpoint(text: string, schemes: readonly string[], fail: Fail, which = ""): string {
  const entry = which ? `entry${which}` : "the value";
  if (text === "") fail(`has an empty entry${which}`);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return fail(`${entry} is not a URL`);
  if (!schemes.includes(url.protocol))
    fail(`${entry} must begin with ${schemes.map((s) => `${s}//`).join(" or ")}`);
  return text;
}

/** Distinct URLs: one that is given twice is one endpoint. */
export const httpUrls = textTo((text, fail): readonly string[] => {
  const urls = splitList(text).map((item, index) => {
    const url = endpoint(item, ["http:", "https:"], fail, ` ${index + 1}`);
    const { username, password } = new URL(url);
    // `fetch` refuses such URLs, so the indexer would never get an answer.
    if (username !== "" || password !== "")
      fail(
        `entry ${index + 1} has a user name or password before its host, which the indexer cannot send: ` +
          "use an endpoint with the key in its path or query, or a proxy of your own that adds the password",
      );
    return url;
  });
  return [...new Set(urls)];
});

export const webSocketUrl = textTo((text, fail) => endpoint(text, ["ws:", "wss:"], fail));

/** In upper or lower case: no checksum is required. */
export const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

function deployedContract(text: string, fail: Fail): DeployedContract {
  const [address = "", startBlock = "", ...more] = text.split("@");
  if (!ADDRESS.test(address)) fail(`${quoted(text)} is not 0x and 40 hex digits, @ and a start block`);
  if (startBlock === "" || more.length > 0)
    fail(`${quoted(text)} has no start block: write ${address}@<block number>`);
  const block = /^\d+$/.test(startBlock) ? Number(startBlock) : Number.NaN;
  if (!Number.isSafeInteger(block)) fail(`${quoted(startBlock)} is not a block number (a decimal integer)`);
  return { address: address.toLowerCase() as DeployedContract["address"], startBlock: block };
}

export const contract = textTo(deployedContract);

/** In lowercase. Invalid text is not repeated: it may be a private key. */
export const address = textTo((text, fail) => {
  if (/^(?:0x)?[0-9a-fA-F]{64}$/.test(text))
    fail("has the length of a private key: name its address instead");
  if (!ADDRESS.test(text)) fail("must be an address: 0x and 40 hex digits");
  return text.toLowerCase() as DeployedContract["address"];
});

export const contracts = textTo((text, fail): readonly DeployedContract[] => {
  const seen = new Set<string>();
  return splitList(text).map((item) => {
    const one = deployedContract(item, fail);
    if (seen.has(one.address)) fail(`names ${one.address} twice`);
    seen.add(one.address);
    return one;
  });
});

export type RegistrySource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "url"; readonly url: string }
  | {
      readonly kind: "table";
      /** As given, with the names of the tables. */
      readonly url: string;
      readonly connectionString: string;
      readonly listings: TableName;
      readonly originators: TableName;
    };

/** A table or view, as PostgreSQL stores its name. Schema null: the first of the role's search path that has it. */
export type TableName = { readonly schema: string | null; readonly name: string };

export const registrySource = textTo((text, fail): RegistrySource => {
  // Windows paths (C:\…) parse as URLs too, hence the two slashes.
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text))
    return { kind: /[/\\]$/.test(text) ? "folder" : "file", path: text };
  if (/^postgres(?:ql)?:/i.test(text)) return tableSource(text, fail);
  return { kind: "url", url: urlOfFile(text, fail, "must be a path, an https URL or a postgres:// URL") };
});

function urlOfFile(text: string, fail: Fail, otherwise: string): string {
  requireTls(parseUrl(text, fail), fail, otherwise);
  return text;
}

export function requireTls({ protocol, hostname }: URL, fail: Fail, otherwise: string): void {
  if (protocol !== "http:" && protocol !== "https:") fail(otherwise);
  if (protocol === "http:" && !isLoopbackHost(hostname)) fail("must use https (http only on loopback)");
}

export type LedgerSource = Extract<RegistrySource, { kind: "file" | "url" }>;

export const ledgerSource = textTo((text, fail): LedgerSource => {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { kind: "file", path: text };
  return { kind: "url", url: urlOfFile(text, fail, "must be a path or an https URL") };
});

function tableSource(text: string, fail: Fail): RegistrySource {
  const url = new URL(connectionString(text, fail));
  const take = (parameter: string): TableName => {
    const names = url.searchParams.getAll(parameter);
    const [, schema = null, name] =
      /^(?:([\p{L}_][\p{L}\p{N}_$]*)\.)?([\p{L}_][\p{L}\p{N}_$]*)$/u.exec(names[0] ?? "") ?? [];
    if (name === undefined || names.length > 1)
      return fail(`must name one table or view in ?${parameter}=, such as ${parameter}=public.raises`);
    url.searchParams.delete(parameter);
    return { schema, name };
  };
  const [listings, originators] = [take("table"), take("originators")];
  return { kind: "table", url: text, connectionString: url.href, listings, originators };
}

/**
 * Whether a request's `Host` names another machine. After DNS rebinding, a page in a local browser reaches this machine under its
 * own name, which appears here; it cannot send an address.
 */
export function isForeignName(host: string | undefined): boolean {
  if (host === undefined) return false;
  const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : null;
  if (url === null) return true;
  return isIP(bareHost(url.hostname)) === 0 && !isLoopbackHost(url.hostname);
}

export const postgresUrl = textTo(connectionString);

function connectionString(text: string, fail: Fail): string {
  if (!/^postgres(?:ql)?:\/\//i.test(text)) fail("must begin with postgres:// or postgresql://");
  // Connection strings that libpq accepts and that are not URLs.
  if (/^[^/]*\/\/[^/?#]*@\//.test(text))
    fail("names no host: for a socket write postgres://user:secret@localhost/database?host=/directory");
  if (/^[^/]*\/\/(?:[^/?#]*@)?[^/?#@]*,[^/?#@]*(?:[/?#]|$)|[?&]host=[^&]*,/.test(text))
    fail(
      "names several hosts: name one, as of HAProxy in front of them (docs/operations/high-availability.md)",
    );
  const encoding =
    "has a character in its user name or password that must be percent-encoded: / as %2F, ? as %3F, # as %23";
  if (!URL.canParse(text)) fail(text.includes("@") ? encoding : "is not a URL");
  const { username, pathname, search, hash } = new URL(text);
  // Part of the password was parsed as the rest of the URL.
  if (hash !== "" || (username === "" && (pathname + search).includes("@"))) fail(encoding);
  return text;
}

/** Ponder allows 45 characters and reserves `ponder_sync` for its RPC cache. */
export const schemaName = textTo((text, fail) => {
  if (!/^[a-z_][a-z0-9_]{0,44}$/.test(text))
    fail("must be 1 to 45 lowercase letters, digits and underscores, the first no digit");
  if (["ponder_sync", "raisebook_webhooks"].includes(text) || text.startsWith("pg_"))
    fail(`"${text}" is reserved`);
  return text;
});

export const hostName = textTo((text, fail) => {
  const bare = bareHost(text);
  if (isIP(bare) === 0 && !/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(bare))
    fail(`${quoted(text)} is not a host name or an IP address`);
  return bare;
});

/** Addresses and CIDR blocks. */
export const networks = textTo((text, fail): readonly string[] =>
  splitList(text).map((item) => {
    const [address = "", prefix, ...more] = item.split("/");
    const bits = isIP(address) === 6 ? 128 : 32;
    // An address with a zone means a different network on each machine.
    const isNetwork = isIP(address) !== 0 && !address.includes("%") && more.length === 0;
    if (!isNetwork || (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)))
      fail(`has ${quoted(item)}, which is no IP address and no CIDR block such as 10.0.0.0/8`);
    return item;
  }),
);

/** Characters that XML has no place for, or that end a line. */
const UNSAFE_IN_NAME = /[\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;
const LONGEST_NAME = 60;

/** A display name of 1 to 60 characters. HTML is allowed: every page shows it as text. */
export const siteName = textTo((text, fail) => {
  const { length } = [...text];
  if (length > LONGEST_NAME) fail(`must have 1 to ${LONGEST_NAME} characters, not ${length}`);
  if (UNSAFE_IN_NAME.test(text) || stripControl(text, { keepLineFeeds: false }) !== text)
    fail("must have no control, bidirectional or invisible character");
  if (!/[\p{L}\p{N}\p{S}]/u.test(text)) fail("must have a letter, a digit or a symbol");
  return text;
});

/** A CSS hex colour as lowercase `#rrggbb`. The # is optional: in an env file it starts a comment. */
export const hexColour = textTo((text, fail) => {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1]?.toLowerCase();
  if (digits === undefined)
    return fail("must be a colour of 3 or 6 hex digits, with or without # before them");
  return `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`;
});

export const plainText = textTo((text) => text);

/** An SPDX identifier, such as `CC-BY-4.0`, or the URL of a licence. */
export const licence = textTo((text, fail) => {
  if (/^https?:/.test(text)) return endpoint(text, ["http:", "https:"], fail);
  return /^[A-Za-z0-9][A-Za-z0-9.+-]{0,63}$/.test(text)
    ? text
    : fail(`must be an SPDX identifier such as CC-BY-4.0, or a URL, not ${quoted(text)}`);
});

export function oneOf<const T extends string>(allowed: readonly T[]) {
  return textTo((text, fail): T => {
    const match = allowed.find((value) => value === text);
    return match ?? fail(`must be ${allowed.join(" or ")}, not ${quoted(text)}`);
  });
}

export const yesOrNo = textTo((text, fail): boolean => {
  if (text !== "true" && text !== "false") fail(`must be true or false, not ${quoted(text)}`);
  return text === "true";
});
