import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readSettings } from "../../config/environment.ts";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { keepImport } from "./imported.ts";

it("a file is stored whole, and one that cannot be read leaves the one before as it is", async () => {
  const folder = temporaryFolder();
  const settings = readSettings({
    ...{ RPC_URLS: "http://127.0.0.1:1", ESCROWS: `0x${"a1".repeat(20)}@1`, REGISTRY: "r.json" },
    RAISEBOOK_DATA_DIR: folder,
  });
  const source = join(temporaryFolder(), "one.gz");
  await writeFile(source, "one");
  await keepImport(settings, source);
  await expect(keepImport(settings, folder)).rejects.toThrow("EISDIR");
  const names = await readdir(folder);
  expect(names).toHaveLength(1);
  expect(await readFile(join(folder, names[0] ?? ""), "utf8")).toBe("one");
});
