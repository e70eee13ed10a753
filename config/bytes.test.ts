import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../test/harness/ending.ts";
import { growingFile } from "./bytes.ts";

it("reads any parts of bytes that grow in a file without a name", async () => {
  const folder = temporaryFolder();
  const own = join(folder, "own");
  const growing = growingFile(own);
  expect(await readdir(own)).toEqual([]);
  const parts = [3, 700_000, 0, 500_000, 1_500_000, 9].map((length, index) =>
    Buffer.alloc(length).map((_, at) => (at * at + index) >> 3),
  );
  let whole = Buffer.alloc(0);
  for (const part of parts) {
    expect(growing.append(part)).toBe(true);
    whole = Buffer.concat([whole, part]);
    expect(growing.length).toBe(whole.length);
    for (const start of [0, 2, 690_000, 700_003, 1_200_000, whole.length - 5, whole.length].filter(
      (at) => at >= 0,
    ))
      for (const length of [0, 1, 20_000, whole.length])
        expect(growing.read(start, start + length).equals(whole.subarray(start, start + length))).toBe(true);
  }
});
