import { appendFile, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "../test/harness/ending.ts";
import { type Bytes, inMemory } from "./bytes.ts";
import { readColumns, readSmall, writeColumns } from "./columns-file.ts";

const IDENTITY = { kind: "test", format: 3, origin: "here" };
const SMALL = { text: "é", amount: 2n ** 90n, list: [1, null] };
const COLUMNS = {
  bytes: Uint8Array.of(1, 2, 3),
  signed: Int32Array.of(-1, 2),
  // A part of a larger one, at an odd place.
  whole: Uint32Array.of(7, 8, 9).subarray(1),
  floats: Float64Array.of(0.5),
  large: BigUint64Array.of(2n ** 64n - 1n),
  none: new Uint32Array(0),
};

let folder: string;
let path: string;

beforeEach(async () => {
  folder = temporaryFolder();
  path = join(folder, "below", "one");
  await writeColumns(path, IDENTITY, SMALL, {
    ...COLUMNS,
    joined: ["ab", "c"].map((text) => inMemory(Buffer.from(text))),
  });
});

it("gives back what was written, and leaves nothing next to it", async () => {
  const expected = { ...COLUMNS, joined: Uint8Array.from(Buffer.from("abc")) };
  expect(await readColumns(path, IDENTITY)).toEqual({ small: SMALL, columns: expected });
  expect(await readSmall(path, IDENTITY)).toMatchObject({ small: SMALL });
  expect(await readdir(join(folder, "below"))).toEqual(["one"]);
});

it("leaves a column in the file, and reads it from there after the file was replaced", async () => {
  const found = await readColumns(path, IDENTITY, (name) => name === "joined");
  const { joined, ...others } = found?.columns ?? {};
  expect(others).toEqual(COLUMNS);
  const bytes = joined as Bytes;
  await writeColumns(path, IDENTITY, SMALL, { joined: [bytes, inMemory(Buffer.from("d"))] });
  expect([bytes.length, ...[0, 1, 3].map((start) => bytes.read(start, 3).toString())]).toEqual([
    ...[3, "abc", "bc", ""],
  ]);
  expect(bytes.read(1, 2).toString()).toBe("b");
  const again = await readColumns(path, IDENTITY);
  expect(again?.columns).toEqual({ joined: Uint8Array.from(Buffer.from("abcd")) });
});

it("reads any parts of a column in the file, and a long one into memory", async () => {
  const whole = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * at) >> 7));
  // So long that a thread checks it.
  const long = Array.from({ length: 120 }, () => whole);
  await writeColumns(path, IDENTITY, SMALL, {
    long: long.map(inMemory),
    joined: [inMemory(whole)],
    ...COLUMNS,
  });
  const found = await readColumns(path, IDENTITY, (name) => name === "joined");
  const { joined, long: inOne, ...others } = found?.columns ?? {};
  expect(others).toEqual(COLUMNS);
  expect(Buffer.concat(long).equals(inOne as Uint8Array)).toBe(true);
  const starts = [0, 10, 5_000, 90_000, 90_010, 70, 299_990, 200_000, 216_000, 216_001, 299_999, 300_000];
  for (const start of starts)
    for (const length of [0, 1, 9, 70_000])
      expect((joined as Bytes).read(start, start + length)).toEqual(whole.subarray(start, start + length));
});

it("reads nothing that is missing, of another identity, or longer or shorter than it was", async () => {
  const both = async (at: string, identity = IDENTITY) =>
    expect([await readColumns(at, identity), await readSmall(at, identity)]).toEqual([null, null]);
  await both(join(folder, "none"));
  await both(path, { ...IDENTITY, kind: "other" });
  await both(path, { ...IDENTITY, format: 2 });
  await both(path, { ...IDENTITY, origin: "there" });
  const whole = await readFile(path);
  for (const length of [0, 4, 12, 40, whole.length - 1]) {
    await truncate(path, length);
    await both(path);
    await writeFile(path, whole);
  }
  await appendFile(path, "1");
  await both(path);
});

it("reads nothing with a changed byte", async () => {
  const whole = await readFile(path);
  for (let at = 0; at < whole.length; at += 5) {
    const changed = Buffer.from(whole);
    changed.writeUInt8((changed.readUInt8(at) + 1) % 256, at);
    await writeFile(path, changed);
    expect(await readColumns(path, IDENTITY, () => at % 2 === 0)).toBeNull();
  }
});

it("leaves nothing behind when it cannot put the file in its place", async () => {
  await expect(writeColumns(join(folder, "below"), IDENTITY, SMALL, COLUMNS)).rejects.toThrow();
  expect(await readdir(folder)).toEqual(["below"]);
});
