/**
 * Parts of lists in a temporary file, which has no name and is gone with the process. A new file is begun when
 * more than half of the bytes are dead.
 * @module
 */
import { randomUUID } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { join } from "node:path";

/** Dead bytes that are not worth a new file. */
const FEW = 4 * 1024 * 1024;

/** The place of a part, which moves with a new file. */
export type Place = {
  file: PartsFile;
  offset: number;
  /** bytes */
  readonly length: number;
};

type PartsFile = {
  handle: FileHandle;
  /** bytes */
  length: number;
  dead: number;
  /** how many of them are worth a new file */
  worthAt: number;
  places: Set<Place>;
  writing: Set<Promise<Place>>;
  /** null until all its parts are in another file: the readers that began before */
  readers: Set<object> | null;
};

export type PartStore = {
  /** Writes a part. @throws the error of the disk */
  write(part: Buffer): Promise<Place>;
  /** Reads a part, also one that has been dropped since the reader began. */
  read(place: Place): Promise<Buffer<ArrayBuffer>>;
  /** Fills the target with bytes of a part. @param from where they begin in it */
  readInto(place: Place, from: number, target: Uint8Array): Promise<void>;
  drop(place: Place): void;
  /** Files stay open until the returned function is called. */
  beginReading(): () => void;
  /** bytes on the disk */
  size(): number;
  /** Closes the files once they are no longer read. */
  close(): Promise<void>;
};

/** @param folder of the file @param few dead bytes that are not worth a new file */
export function createPartStore(folder: string, few = FEW): PartStore {
  const files = new Set<PartsFile>();
  const readers = new Set<object>();
  let opening: Promise<PartsFile> | null = null;
  let replacing: Promise<void> | null = null;
  let unread = () => {};

  const begin = async (): Promise<PartsFile> => {
    const path = join(folder, `raisebook-lists-${process.pid}-${randomUUID()}`);
    const handle = await open(path, "wx+", 0o600);
    await unlink(path);
    const parts = { places: new Set<Place>(), writing: new Set<Promise<Place>>(), readers: null };
    const begun = { handle, length: 0, dead: 0, worthAt: few, ...parts };
    files.add(begun);
    return begun;
  };
  const fileNow = (): Promise<PartsFile> => {
    opening ??= begin().catch((error) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  const append = (file: PartsFile, bytes: Buffer): Promise<Place> => {
    const written = appended(file, bytes);
    file.writing.add(written);
    const over = () => file.writing.delete(written);
    written.then(over, over);
    return written;
  };
  const appended = async (file: PartsFile, bytes: Buffer): Promise<Place> => {
    const place = { file, offset: file.length, length: bytes.length };
    file.length += bytes.length;
    try {
      for (let written = 0; written < bytes.length; )
        written += (await file.handle.write(bytes, written, bytes.length - written, place.offset + written))
          .bytesWritten;
    } catch (error) {
      file.dead += bytes.length;
      throw error;
    }
    file.places.add(place);
    return place;
  };
  const readInto = async ({ file, offset }: Place, from: number, target: Uint8Array): Promise<void> => {
    for (let known = 0; known < target.length; ) {
      const start = offset + from + known;
      const { bytesRead } = await file.handle.read(target, known, target.length - known, start);
      if (bytesRead === 0) throw new Error("A part of a list is missing in its file");
      known += bytesRead;
    }
  };
  const bytesAt = async (place: Place): Promise<Buffer<ArrayBuffer>> => {
    const part = Buffer.allocUnsafeSlow(place.length);
    await readInto(place, 0, part);
    return part;
  };
  const closeUnread = async (file: PartsFile) => {
    if (file.readers?.size === 0 && files.delete(file)) await file.handle.close();
  };

  /** Begins a new file in place of this one. Without room for it, this one goes on growing until it is worth another attempt. */
  const replace = async (before: PartsFile): Promise<void> => {
    before.worthAt = before.dead + few;
    const after = await begin();
    opening = Promise.resolve(after);
    try {
      await move(before, after);
    } catch {
      opening = Promise.resolve(before);
      await Promise.allSettled(after.writing);
      if (after.places.size === 0 && after.writing.size === 0 && files.delete(after))
        await after.handle.close();
      return;
    }
    before.readers = new Set(readers);
    await closeUnread(before);
  };
  /** Moves what is alive. Until it is there, parts are read from the old file. */
  const move = async (before: PartsFile, after: PartsFile): Promise<void> => {
    await Promise.allSettled(before.writing);
    for (const place of before.places) {
      const moved = await append(after, await bytesAt(place));
      after.places.delete(moved);
      if (before.places.delete(place)) {
        place.file = after;
        place.offset = moved.offset;
        after.places.add(place);
      } else after.dead += place.length;
    }
  };

  return {
    // In one step: a file that is being replaced takes no more parts.
    write: (part) => fileNow().then((file) => append(file, part)),
    read: bytesAt,
    readInto,
    drop(place) {
      const { file } = place;
      if (!file.places.delete(place)) return;
      file.dead += place.length;
      if (replacing !== null || file.dead < file.worthAt || 2 * file.dead < file.length) return;
      const over = () => {
        replacing = null;
      };
      replacing = replace(file).then(over, over);
    },
    beginReading() {
      const reader = {};
      readers.add(reader);
      return () => {
        readers.delete(reader);
        if (readers.size === 0) unread();
        for (const file of files) if (file.readers?.delete(reader)) void closeUnread(file).catch(() => {});
      };
    },
    size: () => [...files].reduce((sum, { length }) => sum + length, 0),
    async close() {
      if (readers.size > 0) {
        await new Promise<void>((resolve) => {
          unread = resolve;
        });
      }
      await replacing;
      for (const { handle } of files) await handle.close();
      files.clear();
      opening = null;
    },
  };
}
