/**
 * Short ASCII texts in a file, numbered from 0, of which any run is one read. The file has lost its name, so it goes with the process.
 * @module
 */
import { mkdtempSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Characters that are written at once. */
const CHUNK = 2 ** 20;

export function createTexts() {
  const folder = mkdtempSync(join(tmpdir(), "raisebook-bench-"));
  const file = openSync(join(folder, "texts"), "w+");
  rmSync(folder, { recursive: true });
  const starts = [0];
  let unwritten = "";
  const flush = () => {
    writeFileSync(file, unwritten);
    unwritten = "";
  };
  /** @param end the first text that is not read */
  const read = (first: number, end: number): Buffer => {
    if (unwritten !== "") flush();
    const [from = 0, to = 0] = [starts[first], starts[end]];
    const bytes = Buffer.allocUnsafe(to - from);
    readSync(file, bytes, 0, bytes.length, from);
    return bytes;
  };
  return {
    read,
    add(text: string): void {
      starts.push((starts.at(-1) ?? 0) + text.length);
      unwritten += text;
      if (unwritten.length >= CHUNK) flush();
    },
    /** The same, each on its own. */
    each(first: number, end: number): Buffer[] {
      const bytes = read(first, end);
      const offset = (place: number) => (starts[place] ?? 0) - (starts[first] ?? 0);
      return Array.from({ length: end - first }, (_, at) =>
        bytes.subarray(offset(first + at), offset(first + at + 1)),
      );
    },
  };
}
