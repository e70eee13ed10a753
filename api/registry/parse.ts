/** @module Parses a registry document into a `Registry`, or a list of its problems. */
import canonicalize from "canonicalize";
import { keccak256, stringToBytes } from "viem";
import type { z } from "zod";
import { quote } from "../../config/format/untrusted-text.ts";
import { pairKey, type Registry, type RegistryDocument, registryDocument } from "./schema.ts";

const MOST_PROBLEMS = 20;

/** Each problem begins with its path in the document, if it has one. None has a file name or a URL: they reach `/v1/health`. */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
  /** The first 20 problems. */
  readonly problems: readonly string[];
  readonly total: number;

  constructor(problems: readonly string[]) {
    const named = problems.slice(0, MOST_PROBLEMS);
    const rest = problems.length - named.length;
    super([...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n"));
    this.problems = named;
    this.total = problems.length;
  }

  /** The first problem and the number of others, on one line. */
  get summary(): string {
    const [first = "unknown problem"] = this.problems;
    return this.total > 1 ? `${first} (and ${this.total - 1} more)` : first;
  }
}

/** @throws {RegistryError} unless the bytes are UTF-8 JSON that follows every rule of the registry */
export function parseRegistry(bytes: Uint8Array): Registry {
  const json = parseJson(bytes);
  const parsed = registryDocument.safeParse(json, { reportInput: true });
  if (!parsed.success) throw new RegistryError(parsed.error.issues.map(describeIssue));
  const problems = crossProblems(parsed.data);
  if (problems.length > 0) throw new RegistryError(problems);
  return indexed(parsed.data, json as object);
}

function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new RegistryError(["the document is not UTF-8"]);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    // The reason quotes the document, which may contain control characters.
    throw new RegistryError([`the document is not JSON: ${quote(reason.replace(/"/g, "'")).slice(1, -1)}`]);
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = documentPath(issue.path);
  return path === "" ? `the document: ${issue.message}` : `${path}: ${issue.message}`;
}

/** `["listings", 3, "escrowAddress"]` as `listings[3].escrowAddress`. */
function documentPath(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
}

/** Problems across entries: duplicates and missing originators. */
function crossProblems({ originators, listings, revision, signature }: RegistryDocument): string[] {
  const originatorIds = new Set(originators.map(({ publicId }) => publicId));
  return [
    ...repeated(originators, "originators", "publicId", ({ publicId }) => publicId),
    ...originators.flatMap(({ addresses }, index) =>
      repeated(addresses, `originators[${index}].addresses`, "", (a) => a),
    ),
    ...repeated(listings, "listings", "publicId", ({ publicId }) => publicId),
    ...repeated(listings, "listings", "onchainId", pairKey),
    ...listings.flatMap(({ originator }, index) =>
      originatorIds.has(originator)
        ? []
        : [`listings[${index}].originator: no originator has the public id ${quote(originator)}`],
    ),
    ...(signature !== undefined && revision === undefined
      ? ["revision: is missing (a signed document needs one)"]
      : []),
  ];
}

function repeated<T>(
  entries: readonly T[],
  list: string,
  field: string,
  keyOf: (entry: T) => string,
): string[] {
  const first = new Map<string, number>();
  return entries.flatMap((entry, index) => {
    const key = keyOf(entry);
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, index);
      return [];
    }
    const at = field === "" ? `${list}[${index}]` : `${list}[${index}].${field}`;
    const what = field === "onchainId" ? "the pair of escrow and on-chain id" : quote(key);
    return [`${at}: ${what} is already in ${list}[${before}]`];
  });
}

/** @param json the document as written: the signature covers its own words */
function indexed({ originators, listings, revision, signature }: RegistryDocument, json: object): Registry {
  return {
    originators,
    listings,
    originatorByPublicId: new Map(originators.map((entry) => [entry.publicId, entry])),
    listingByPublicId: new Map(listings.map((entry) => [entry.publicId, entry])),
    listingByPair: new Map(listings.map((entry) => [pairKey(entry), entry])),
    hash: keccak256(stringToBytes(canonicalize({ ...json, signature: undefined }) ?? "")),
    revision: revision ?? null,
    signature: signature ?? null,
    images: new Map(),
  };
}
