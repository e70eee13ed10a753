/** @module Bytes in memory or in a file, which are read the same way. */
import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";

/** Bytes in memory or in a file, which are read when they are asked for. */
export type Bytes = {
  readonly length: number;
  readonly isInMemory?: true;
  read(start: number, end: number): Buffer;
};

export function inMemory(bytes: Uint8Array): Bytes {
  const { buffer, byteOffset, length } = bytes;
  const all = Buffer.from(buffer, byteOffset, length);
  return { length, isInMemory: true, read: (start, end) => all.subarray(start, end) };
}

/** Bytes that are read at once where reads follow each other, and the most between two of them. */
const AHEAD = 64 * 1024;
const GAP = 16 * 1024;

/** Reads small parts of a file, which has to stay open: it may be replaced meanwhile. */
export function createFileReader({ fd }: Pick<FileHandle, "fd">) {
  /** what was read ahead: one buffer, as new ones of this size are slow to get and to give back */
  const ahead = Buffer.allocUnsafeSlow(AHEAD);
  let [aheadFrom, aheadTo, last] = [0, 0, 0];
  const load = (bytes: Buffer, start: number) => {
    for (let at = 0; at < bytes.length; ) {
      const count = readSync(fd, bytes, at, bytes.length - at, start + at);
      if (count === 0) throw new Error("a saved file is shorter than it was");
      at += count;
    }
  };
  /** @param most where the bytes that may be read ahead end */
  return (start: number, end: number, most: number): Buffer => {
    const goesOn = start >= last && start - last <= GAP;
    last = end;
    const bytes = Buffer.allocUnsafe(end - start);
    const isAhead = start >= aheadFrom && end <= aheadTo;
    if (!isAhead && (!goesOn || bytes.length > AHEAD)) {
      load(bytes, start);
      return bytes;
    }
    if (!isAhead) {
      const until = Math.min(most, start + AHEAD);
      // Nothing is there if it fails.
      aheadTo = 0;
      load(ahead.subarray(0, until - start), start);
      [aheadFrom, aheadTo] = [start, until];
    }
    ahead.copy(bytes, 0, start - aheadFrom, end - aheadFrom);
    return bytes;
  };
}

export function inFile(read: ReturnType<typeof createFileReader>, place: number, length: number): Bytes {
  const most = place + length;
  return {
    length,
    read: (start, end) => read(place + start, Math.max(place + start, Math.min(place + end, most)), most),
  };
}

/** Bytes that grow at their end. */
export type GrowingBytes = Bytes & {
  /** False, and without effect, once the file system takes no more. */
  append(bytes: Uint8Array): boolean;
};

/** Bytes that are written at once. */
const WRITTEN_AT_ONCE = 1024 * 1024;
const closing = new FinalizationRegistry<number>(closeSync);

/** Bytes in a file without a name, which is gone with the process or once nothing can read them. Throws where none can be made. */
export function growingFile(directory: string): GrowingBytes {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, `unnamed.${randomUUID()}`);
  const fd = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  const load = createFileReader({ fd });
  // The file stays open until the reading function is garbage-collected.
  closing.register(load, fd);
  let written = 0;
  /** what comes after it */
  let [rest, length] = [Buffer.allocUnsafeSlow(WRITTEN_AT_ONCE), 0];
  const write = (): boolean => {
    try {
      for (let at = 0; at < length; ) at += writeSync(fd, rest, at, length - at, written + at);
    } catch {
      return false;
    }
    [written, length] = [written + length, 0];
    return true;
  };
  return {
    get length() {
      return written + length;
    },
    append(added) {
      if (length + added.length > rest.length && !write()) return false;
      if (added.length > rest.length) rest = Buffer.allocUnsafeSlow(added.length);
      rest.set(added, length);
      length += added.length;
      return true;
    },
    read(start, end) {
      const inFile = start < written ? load(start, Math.min(end, written), written) : null;
      if (inFile !== null && end <= written) return inFile;
      return Buffer.concat([
        inFile ?? Buffer.alloc(0),
        rest.subarray(Math.max(0, start - written), Math.min(length, end - written)),
      ]);
    },
  };
}
