import { rename, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { entryDraft } from "../../test/harness/rows.ts";
import { loadFile } from "./file.ts";
import type { Loaded } from "./loaded.ts";

const document = (title: string) =>
  JSON.stringify({ originators: [], listings: [{ ...entryDraft({}), title }] });
const folder = temporaryFolder();

const validatorsOf = (loaded: Loaded) => loaded.validators ?? null;

it("a file that was written again with the same bytes is unchanged, and then not hashed again", async () => {
  const path = join(folder, "registry.json");
  await writeFile(path, document("One"));
  const first = await loadFile(path, {});
  expect(first.kind).toBe("document");
  expect(await loadFile(path, { validators: validatorsOf(first) })).toEqual({ kind: "unchanged" });

  await utimes(path, 1, 1);
  const touched = await loadFile(path, { validators: validatorsOf(first) });
  expect(touched.kind).toBe("unchanged");
  expect(validatorsOf(touched)).not.toEqual(validatorsOf(first));
  expect(await loadFile(path, { validators: validatorsOf(touched) })).toEqual({ kind: "unchanged" });

  await writeFile(`${path}.new`, document("One"));
  await rename(`${path}.new`, path);
  expect((await loadFile(path, { validators: validatorsOf(touched) })).kind).toBe("unchanged");
});

it("a file of the same size with other bytes is read", async () => {
  const path = join(folder, "other.json");
  await writeFile(path, document("One"));
  const first = await loadFile(path, {});
  await writeFile(path, document("Two"));
  expect((await loadFile(path, { validators: validatorsOf(first) })).kind).toBe("document");
});

it("a list that is named twice is refused, though JSON would take the last one", async () => {
  const path = join(folder, "twice.json");
  await writeFile(path, `${document("One").slice(0, -1)},"listings":[]}`);
  const loaded = await loadFile(path, {});
  if (loaded.kind !== "document") expect.unreachable();
  await expect(loaded.draft.finish()).rejects.toThrow("listings: is in the document twice");
});
