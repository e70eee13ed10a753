/** @module Reads a JSON document into a draft: at once, or entry by entry if it is long. */
import { setImmediate as pause } from "node:timers/promises";
import { JSONParser } from "@streamparser/json";
import { createDraft, type Draft, type DraftOptions, type EntryList } from "./draft.ts";
import { RegistryError } from "./error.ts";
import { addMembers, type Members, parseJson, reasonOf, setTop } from "./parse.ts";

/** Bytes up to which a document is parsed at once, and the most that one entry may have. */
export const MOST_AT_ONCE = 16 * 1024 * 1024;

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
  if (typeof json !== "string") return { members: addMembers(draft, json.value, placeOf), bytes };
  draft.problem(`the document ${json}`);
  return { members: null, bytes };
}

/** The draft of a document in memory. @throws {RegistryError} when a long one is not JSON */
export async function draftOf(document: Uint8Array, digest?: DraftOptions["digest"]): Promise<Draft> {
  const draft = createDraft({ digest });
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

/** @throws {RegistryError} at the first byte that is not JSON: what follows cannot be told apart */
function createEntryStream(draft: Draft, placeOf?: (path: string) => string) {
  const counts: Record<EntryList, number> = { originators: 0, listings: 0 };
  let sinceEntry = 0;
  let top: unknown = null;
  const parser = new JSONParser({ paths: ["$", "$.originators.*", "$.listings.*"] });
  parser.onValue = ({ value, key, parent, stack }) => {
    if (stack.length === 0) top = value;
    else if (Array.isArray(parent)) {
      const list = stack[1]?.key as EntryList;
      if (key === 0 && counts[list] > 0) throw new RegistryError([`${list}: is in the document twice`]);
      draft.add(list, value, placeOf?.(`${list}[${counts[list]}]`));
      counts[list] += 1;
      sinceEntry = 0;
      // The parser would keep every entry for its list.
      parent.pop();
    }
  };
  const guarded = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if (error instanceof RegistryError) throw error;
      throw new RegistryError([
        error instanceof TypeError
          ? "the document is not UTF-8"
          : `the document is not JSON: ${reasonOf(error)}`,
      ]);
    }
  };
  return {
    write(chunk: Uint8Array) {
      guarded(() => {
        sinceEntry += chunk.byteLength;
        parser.write(chunk);
      });
      if (sinceEntry > MOST_AT_ONCE)
        throw new RegistryError([`the document has an entry of more than ${MOST_AT_ONCE} bytes`]);
    },
    end(): Members {
      guarded(() => {
        if (!parser.isEnded) parser.end();
      });
      return addMembers(draft, top);
    },
  };
}
