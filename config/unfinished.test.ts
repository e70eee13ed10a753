import { once } from "node:events";
import { readdir, readFile, readlink, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import { temporaryFolder } from "../test/harness/ending.ts";
import { writeInPlace } from "./unfinished.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, "book.gz");
});

it("replaces a file atomically, or leaves the old one and nothing else", async () => {
  await writeInPlace(path, (unfinished) => writeFile(unfinished, "one"));
  const failing = writeInPlace(path, async (unfinished) => {
    await writeFile(unfinished, "tw");
    throw new Error("the disk is full");
  });
  await expect(failing).rejects.toThrow("the disk is full");
  expect(await readdir(folder)).toEqual(["book.gz"]);
  expect(await readFile(path, "utf8")).toBe("one");
});

it("replaces the file that a link names, and nothing but a file", async () => {
  const link = join(folder, "latest.gz");
  await writeFile(path, "one");
  await symlink(path, link);
  await writeInPlace(link, (unfinished) => writeFile(unfinished, "two"));
  expect(await readlink(link)).toBe(path);
  expect(await readFile(path, "utf8")).toBe("two");
  const socket = join(folder, "socket");
  const server = createServer().listen(socket);
  await once(server, "listening");
  const write = vi.fn(async () => {});
  for (const place of [socket, folder])
    await expect(writeInPlace(place, write)).rejects.toThrow(`${place} is no regular file`);
  expect((await stat(socket)).isSocket()).toBe(true);
  expect(write).not.toHaveBeenCalled();
  server.close();
});

it("removes what killed processes have left of the same file, and nothing that may be in use", async () => {
  const old = ["book.gz.13.unfinished"];
  const kept = [
    "book.gz.14.unfinished",
    "book.gz.12",
    "book.gz.20261001",
    "book.gz.bak",
    "book.gz.15.old",
    "other.gz.16.unfinished",
    "book.gzip.17",
  ];
  for (const name of [...old, ...kept]) {
    await writeFile(join(folder, name), "");
    const minutes = name === "book.gz.14.unfinished" ? 50 : 70;
    const at = new Date(Date.now() - minutes * 60_000);
    await utimes(join(folder, name), at, at);
  }
  await writeInPlace(path, (unfinished) => writeFile(unfinished, ""));
  expect((await readdir(folder)).sort()).toEqual([...kept, "book.gz"].sort());
});
