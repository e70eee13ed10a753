/** The picture in docs/architecture.md against the code: every box is there, and every arrow is an import. */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, readDocument } from "../harness/documents/document.ts";

const { snippets, spans } = readDocument("docs/architecture.md");
const picture = snippets.find(({ language }) => language === "mermaid")?.text ?? "";

/** By id: the folders or files of a box, or of all boxes in a group. A round box is none of the code. */
const paths = new Map<string, readonly string[]>();
const outside = new Set<string>();
let group: { id: string; paths: string[] } | null = null;
for (const line of picture.split("\n")) {
  const [, id = "", shape = "", label = ""] = /^\s*(\w+)(\(\[|\[\(|\[)"(.+?)"/.exec(line) ?? [];
  if (line.includes("subgraph")) group = { id: /subgraph (\w+)/.exec(line)?.[1] ?? "", paths: [] };
  else if (line.trim() === "end" && group !== null) {
    paths.set(group.id, group.paths);
    group = null;
  } else if (shape === "([") outside.add(id);
  else if (shape !== "") {
    const [path = ""] = label.split("<br/>");
    paths.set(id, [path]);
    group?.paths.push(path);
  }
}
const arrows = [...picture.matchAll(/^\s*(\w+) (-->|==>|-\.->) (\w+)$/gm)].map(
  ([, from = "", kind = "", to = ""]) => ({
    ...{ from, kind, to },
  }),
);

/** All imports between our own files that are no tests, as paths from the root. */
const imports: readonly (readonly [string, string])[] = globSync(
  ["{abis,api,chain,config,demo,operate,src}/**/*.{ts,tsx,mjs}", "ponder.*.ts"],
  { cwd: ROOT },
)
  .filter((file) => !file.includes(".test."))
  .flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(/(?:from|import\(?) "([^"]+)"/g)].flatMap(
      ([, target = ""]) => {
        // Ponder's own name for the tables.
        if (target === "ponder:schema") return [[file, "ponder.schema.ts"] as const];
        return target.startsWith(".") ? [[file, join(dirname(file), target)] as const] : [];
      },
    ),
  );

/** Whether a file belongs to a box: of `src` what is not another box within it. */
function isOf(file: string, box: string): boolean {
  const isWithin = (one: string) => file === one || file.startsWith(`${one}/`);
  const inner = [...paths.values()].flat().filter((one) => one.startsWith(`${box}/`));
  return isWithin(box) && !inner.some(isWithin);
}
const importing = (from: string, to: string) =>
  imports.filter(([file, target]) => isOf(file, from) && isOf(target, to)).map(([file]) => file);

describe("the picture of the architecture", () => {
  it("has boxes that are folders and files, and arrows between boxes", () => {
    expect(paths.size).toBeGreaterThan(20);
    expect(arrows.length).toBeGreaterThan(25);
    expect(imports.length).toBeGreaterThan(1_000);
    const missing = [...paths.values()].flat().filter((path) => !existsSync(join(ROOT, path)));
    expect(missing).toEqual([]);
    const ends = arrows.flatMap(({ from, to }) => [from, to]);
    expect(ends.filter((id) => !paths.has(id) && !outside.has(id))).toEqual([]);
    const lines = picture.split("\n").filter((line) => /--|==|-\./.test(line));
    expect(lines).toHaveLength(arrows.length);
  });

  it.each(arrows.map((arrow) => [`${arrow.from} ${arrow.kind} ${arrow.to}`, arrow] as const))(
    "%s is what the code does",
    (_, { from, kind, to }) => {
      if (kind === "-.->") {
        expect(outside.has(from) || outside.has(to)).toBe(true);
        return;
      }
      // A thick arrow writes: the one that it comes from imports the other. Of a group one import is enough.
      const [users, used] = kind === "==>" ? [from, to] : [to, from];
      const pairs = (paths.get(users) ?? []).flatMap((user) =>
        (paths.get(used) ?? []).map((one) => [user, one] as const),
      );
      expect(pairs.some(([user, one]) => importing(user, one).length > 0)).toBe(true);
      expect(pairs.flatMap(([user, one]) => importing(one, user))).toEqual([]);
    },
  );

  it("leaves no folder of the api out, and the page none of the repository", () => {
    const boxes = new Set([...paths.values()].flat());
    const named = (folder: string) => spans.includes(`${folder}/`);
    const folders = (of: string) =>
      readdirSync(join(ROOT, of), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !/^(\.|node_modules$)/.test(entry.name))
        .map(({ name }) => name);
    expect(folders("api").filter((name) => !boxes.has(`api/${name}`) && !named(name))).toEqual([]);
    expect(folders(".").filter((name) => name !== "docs" && !named(name))).toEqual([]);
  });
});
