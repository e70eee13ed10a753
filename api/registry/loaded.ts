/** @module The options and the result of loading a registry, the same for every kind of source. */
import type { RegistrySource } from "../../config/values.ts";
import type { Draft, DraftOptions } from "./draft.ts";
import { RegistryError } from "./error.ts";
import type { KnownEntries } from "./known.ts";

/** Identifies a version of the source without reading it, like an entity tag. Opaque; null before the first load. */
export type Validators = Readonly<Record<string, string>> | null;

export type Loaded =
  /** `validators` are new ones, if the source was written again with the same bytes. */
  | { readonly kind: "unchanged"; readonly validators?: Validators }
  /** The problems of its content become known when the draft is finished. */
  | {
      readonly kind: "document";
      readonly draft: Draft;
      /** those of the first page, if there are several */
      readonly validators: Validators;
      /** whether it came in several pages */
      readonly isPaged?: boolean;
    };

export type LoadOptions = {
  /** The validators of the caller's copy: the result may then be `unchanged`. */
  readonly validators?: Validators;
  /** Entries that need not be validated again; asked for once the source has changed. */
  readonly known?: () => Promise<KnownEntries | undefined>;
  /** The source has announced a change: a table is read without first checking for one. */
  readonly isAnnounced?: boolean;
  /** The most bytes of a file, or of all pages of a URL together. Only a guard against an endless answer. */
  readonly maxBytes?: number;
  /** Milliseconds for the whole response of a URL, with redirects and body, or for a query of a table. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
};

export const DEFAULT_MAX_BYTES = 4 * 1024 ** 3;
export const DEFAULT_TIMEOUT = 10_000;

/** Counts the bytes of a source. @throws {RegistryError} beyond the limit */
export function byteCounter(maxBytes: number): (chunk: Uint8Array) => void {
  let size = 0;
  return ({ byteLength }) => {
    size += byteLength;
    if (size > maxBytes) throw new RegistryError([`the document is larger than ${maxBytes} bytes`]);
  };
}

/** No signature can cover a table, so its hash need not be one that a wallet signs. */
export function digestFor(source: RegistrySource): DraftOptions["digest"] {
  return source.kind === "table" ? "entries" : "keccak256";
}
