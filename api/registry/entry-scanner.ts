/**
 * Finds the entries of a long JSON document without parsing it: an entry whose bytes are known needs no parsing. What is around the
 * entries is kept, with a number in place of each, and parsed at the end: nothing that `JSON.parse` refuses is accepted.
 * @module
 */
import { type EntryList, LISTS } from "./known.ts";

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
/** Stands for an entry. Two in a row are no JSON, as two entries are without a comma. */
const STAND_IN = Buffer.from("0");

export type EntryScanner = {
  write(chunk: Uint8Array): void;
  /** The document with `0` in place of each entry. */
  end(): Buffer;
  /** Bytes that wait for the end of an entry, and those around entries. */
  waiting(): number;
};

type ScannerOptions = {
  /** The bytes are only valid during the call. */
  onEntry(list: EntryList, bytes: Uint8Array): void;
  /** A list of this name begins again. */
  onRepeated(list: EntryList): void;
};

export function createEntryScanner({ onEntry, onRepeated }: ScannerOptions): EntryScanner {
  /** A list of a million entries has two million pieces around them. */
  let around = Buffer.alloc(0);
  let aroundSize = 0;
  /** of the entry that has begun */
  let pending: Buffer = Buffer.alloc(0);
  let depth = 0;
  let isInText = false;
  let isEscaped = false;
  /** of the last text directly in the document, which may be a key */
  let text: number[] = [];
  let key = "";
  let list: EntryList | null = null;
  const seen = new Set<EntryList>();

  const keep = (bytes: Uint8Array) => {
    const size = aroundSize + bytes.length;
    if (size > around.length) around = Buffer.concat([around], 2 * size);
    around.set(bytes, aroundSize);
    aroundSize = size;
  };

  /** Whether a byte ends an entry that is neither a text, nor an object, nor a list. */
  const isBetween = (byte: number) => byte <= 0x20 || byte === COMMA || byte === CLOSE_LIST;

  const write = (chunk: Uint8Array) => {
    const { buffer, byteOffset, byteLength } = chunk;
    const bytes =
      pending.length === 0 ? Buffer.from(buffer, byteOffset, byteLength) : Buffer.concat([pending, chunk]);
    let at = pending.length;
    /** of the entry or of what is around; -1 while no entry has begun */
    let entryAt = pending.length > 0 ? 0 : -1;
    let aroundAt = 0;
    pending = Buffer.alloc(0);

    const endEntry = (end: number) => {
      const entry = bytes.subarray(entryAt, end);
      // Without a list the brackets do not match, which the parser says at the end.
      if (list === null) keep(entry);
      else {
        onEntry(list, entry);
        keep(STAND_IN);
      }
      entryAt = -1;
      aroundAt = end;
    };
    const beginEntry = () => {
      keep(bytes.subarray(aroundAt, at));
      entryAt = at;
    };

    for (; at < bytes.length; at++) {
      let byte = bytes[at] ?? 0;
      if (isInText) {
        // Most bytes are in texts of entries.
        if (depth !== 1 && !isEscaped)
          while (byte !== QUOTE && byte !== BACKSLASH && at + 1 < bytes.length) byte = bytes[++at] ?? 0;
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) {
          isInText = false;
          if (depth === 2 && entryAt >= 0) endEntry(at + 1);
          continue;
        }
        if (depth === 1 && text.length <= "originators".length) text.push(byte);
        continue;
      }
      const isInList = list !== null && depth === 2;
      const isSimple = isInList && entryAt >= 0;
      if (isSimple && (isBetween(byte) || byte === QUOTE || byte === OPEN_OBJECT || byte === OPEN_LIST))
        endEntry(at);
      if (isInList && entryAt < 0 && !isBetween(byte)) beginEntry();
      if (byte === QUOTE) {
        isInText = true;
        if (depth === 1) text = [];
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (depth === 1 && byte === OPEN_LIST) {
          list = LISTS.find((name) => name === key) ?? null;
          if (list !== null && seen.has(list)) onRepeated(list);
          if (list !== null) seen.add(list);
        }
        depth += 1;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        depth -= 1;
        if (depth === 2 && entryAt >= 0) endEntry(at + 1);
        if (depth <= 1) list = null;
      } else if (depth === 1 && byte === COLON) key = Buffer.from(text).toString("latin1");
      else if (depth === 1 && byte === COMMA) key = "";
    }
    if (entryAt >= 0) pending = Buffer.from(bytes.subarray(entryAt));
    else keep(bytes.subarray(aroundAt));
  };

  return {
    write,
    end() {
      keep(pending);
      return around.subarray(0, aroundSize);
    },
    waiting: () => pending.length + aroundSize,
  };
}
