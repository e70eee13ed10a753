/** @module Reads a JSON document into a draft: at once, or entry by entry if it is long. */
import { setImmediate as pause } from "node:timers/promises";
import { isObject } from "../../config/is-object.ts";
import { createDraft, type Draft, type DraftOptions } from "./draft.ts";
import { createEntryScanner } from "./entry-scanner.ts";
import { RegistryError } from "./error.ts";
import { type EntryList, LISTS } from "./known.ts";
import { addMembers, type Members, parseJson, setTop } from "./parse.ts";

/** Bytes up to which a document is parsed at once, and the most that one entry may have. */
export const MOST_AT_ONCE = 16 * 1024 * 1024;

const repeated = (list: EntryList) => `${list}: is in the document twice`;

type ReadJson = {
  /** Null for a document that is not JSON, which the draft knows. */
  readonly members: Members | null;
  /** The document; null if it was long. */
  readonly bytes: Uint8Array | null;
};

/** @param placeOf an entry's place in the source, by its path in this document */
export async function readJson(
  draft: Draft,
  chunks: AsyncIterable<Uint8Array>,
  placeOf?: (path: string) => string,
): Promise<ReadJson> {
  const parts: Uint8Array[] = [];
  let size = 0;
  let stream: ReturnType<typeof createEntryStream> | null = null;
  for await (const chunk of chunks) {
    if (stream !== null) stream.write(chunk);
    else {
      parts.push(chunk);
      size += chunk.byteLength;
      if (size <= MOST_AT_ONCE) continue;
      stream = createEntryStream(draft, placeOf);
      for (const part of parts.splice(0)) stream.write(part);
    }
  }
  if (stream !== null) return { members: stream.end(), bytes: null };
  const bytes = Buffer.concat(parts);
  const json = parseJson(bytes);
  if (typeof json !== "string") {
    // JSON takes the last of two members with one name.
    const onRepeated = (list: EntryList) => draft.problem(repeated(list));
    createEntryScanner({ onEntry() {}, onRepeated }).write(bytes);
    return { members: addMembers(draft, json.value, placeOf), bytes };
  }
  draft.problem(`the document ${json}`);
  return { members: null, bytes };
}

/** The draft of a document in memory. @throws {RegistryError} when a long one is not JSON */
export async function draftOf(document: Uint8Array, options?: DraftOptions): Promise<Draft> {
  const draft = createDraft(options);
  const { members } = await readJson(draft, piecesOf(document));
  draft.setRaw(document);
  if (members !== null) setTop(draft, members);
  return draft;
}

async function* piecesOf(document: Uint8Array): AsyncGenerator<Uint8Array> {
  const step = 1024 * 1024;
  for (let start = 0; start < document.length; start += step) {
    yield document.subarray(start, start + step);
    await pause();
  }
}

/** @throws {RegistryError} when it is not JSON, as soon as an entry is not or at the end */
function createEntryStream(draft: Draft, placeOf?: (path: string) => string) {
  const counts: Record<EntryList, number> = { originators: 0, listings: 0 };
  const scanner = createEntryScanner({
    onEntry(list, bytes) {
      draft.addJson(list, bytes, valueIn, placeOf?.(`${list}[${counts[list]}]`));
      counts[list] += 1;
    },
    onRepeated(list) {
      throw new RegistryError([repeated(list)]);
    },
  });
  return {
    write(chunk: Uint8Array) {
      scanner.write(chunk);
      if (scanner.waiting() > MOST_AT_ONCE)
        throw new RegistryError([`the document has an entry of more than ${MOST_AT_ONCE} bytes`]);
    },
    end(): Members {
      const top = valueIn(scanner.end());
      const found = LISTS.filter((list) => counts[list] > 0);
      if (!isObject(top)) return addMembers(draft, top);
      const rest = { ...top };
      for (const list of found) {
        const standIns = rest[list];
        // The name may be written in another way as well, with an escape.
        if (!Array.isArray(standIns) || standIns.some((one) => one !== 0))
          throw new RegistryError([repeated(list)]);
        delete rest[list];
      }
      const { lists, ...members } = addMembers(draft, rest);
      return { ...members, lists: new Set([...lists, ...found]) };
    },
  };
}

function valueIn(bytes: Uint8Array): unknown {
  const found = parseJson(bytes);
  if (typeof found === "string") throw new RegistryError([`the document ${found}`]);
  return found.value;
}
