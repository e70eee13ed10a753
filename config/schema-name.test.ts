import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../test/harness/ending.ts";
import { type Environment, readSettings, type Settings } from "./environment.ts";
import { contentHash, isStillOf, schemaNameOf } from "./schema-name.ts";

const A = `0x${"a1".repeat(20)}`;
const B = `0x${"b2".repeat(20)}`;
const settings = (env: Environment = {}): Settings =>
  readSettings({ RPC_URLS: "http://127.0.0.1:1", ESCROWS: `${A}@1`, REGISTRY: "r.json", ...env });

let root: string;

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

beforeEach(() => {
  root = temporaryFolder();
  for (const file of [
    "ponder.schema.ts",
    "ponder.config.ts",
    "config/sources.ts",
    "node_modules/ponder/package.json",
  ]) {
    write(file, file);
  }
  for (const file of [
    "src/a.ts",
    "src/fold/b.ts",
    "src/fold/b.test.ts",
    "src/api/index.ts",
    "abis/C.ts",
    "api/d.ts",
  ]) {
    write(file, file);
  }
});

describe("schemaNameOf", () => {
  it("is raisebook_ and 10 hex digits, the same each time", () => {
    expect(schemaNameOf(settings(), root)).toMatch(/^raisebook_[0-9a-f]{10}$/);
    expect(schemaNameOf(settings(), root)).toBe(schemaNameOf(settings(), root));
  });

  it.each([
    "ponder.schema.ts",
    "ponder.config.ts",
    "config/sources.ts",
    "node_modules/ponder/package.json",
    "src/a.ts",
    "src/fold/b.ts",
    "src/new.ts",
    "abis/C.ts",
  ])("changes with %s", (file) => {
    const before = schemaNameOf(settings(), root);
    write(file, "changed");
    expect(schemaNameOf(settings(), root)).not.toBe(before);
  });

  it.each(["src/fold/b.test.ts", "src/api/index.ts", "api/d.ts", "README.md"])(
    "does not change with %s",
    (file) => {
      const before = schemaNameOf(settings(), root);
      write(file, "changed");
      expect(schemaNameOf(settings(), root)).toBe(before);
    },
  );

  it("changes when text moves from one file to another", () => {
    const before = schemaNameOf(settings(), root);
    rmSync(join(root, "src/a.ts"));
    write("src/b.ts", "src/a.ts");
    expect(schemaNameOf(settings(), root)).not.toBe(before);
  });

  it("changes with what is indexed, not with where it is served", () => {
    const base = schemaNameOf(settings(), root);
    for (const env of [
      { ESCROWS: `${A}@2` },
      { ESCROWS: `${A}@1,${B}@1` },
      { ESCROW_FACTORY: `${B}@1` },
      { DESK: `${B}@1` },
    ]) {
      expect(schemaNameOf(settings(env), root), JSON.stringify(env)).not.toBe(base);
    }
    for (const env of [
      { RPC_URLS: "http://127.0.0.1:2" },
      { PORT: "1" },
      { REGISTRY: "other" },
      { POLLING_INTERVAL: "100" },
    ]) {
      expect(schemaNameOf(settings(env), root), JSON.stringify(env)).toBe(base);
    }
  });

  it("is DATABASE_SCHEMA where that is set", () => {
    expect(schemaNameOf(settings({ DATABASE_SCHEMA: "mine" }), root)).toBe("mine");
  });
});

// The name of the schema says nothing of the files where an operator has chosen it.
describe.each([{}, { DATABASE_SCHEMA: "mine" }])("isStillOf with %j", (env) => {
  const isStill = (content: string) => isStillOf(content, settings(env), root);

  it("is false once files are another release's, or some are missing", () => {
    const before = contentHash(settings(env), root);
    expect(isStill(before)).toBe(true);
    rmSync(join(root, "ponder.schema.ts"));
    expect(isStill(before)).toBe(false);
    write("ponder.schema.ts", "another release");
    expect(isStill(before)).toBe(false);
  });

  it("takes files that cannot be read for another reason for the same", () => {
    const before = contentHash(settings(env), root);
    rmSync(join(root, "ponder.schema.ts"));
    mkdirSync(join(root, "ponder.schema.ts"));
    expect(isStill(before)).toBe(true);
  });
});
