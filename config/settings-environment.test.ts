import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../test/harness/ending.ts";
import { A, B, LEAST } from "../test/harness/settings.ts";
import { type Environment, readSettings } from "./environment.ts";
import { environmentOf } from "./settings-environment.ts";

describe("environmentOf", () => {
  it("reads back as the same settings, whatever the parent's environment says", () => {
    const cases: Environment[] = [
      LEAST,
      {
        ...LEAST,
        CHAIN_ID: "31337",
        RAISEBOOK_DATA_DIR: "memory://",
        ESCROWS: `${A}@1,${B}@2`,
        ESCROW_FACTORY: `${B}@3`,
        DESK: `${A}@4`,
      },
      {
        ...LEAST,
        DATABASE_URL: "postgres://db/x",
        NOTICES_DATABASE_URL: "postgres://primary/x",
        WS_URL: "ws://127.0.0.1:1",
        HOST: "0.0.0.0",
        PUBLIC_URL: "https://x.example",
        SITE_NAME: `"Quotes' & <b>"`,
        SITE_LOGO: "./logo.svg",
        SITE_ACCENT: "fff",
      },
    ];
    for (const env of cases) {
      const settings = readSettings(env);
      const parent = {
        DATABASE_URL: "postgres://other/x",
        NOTICES_DATABASE_URL: "postgres://other-primary/x",
        CHAIN_ID: "56",
        DESK: `${B}@9`,
        WS_URL: "ws://other",
        DATABASE_SCHEMA: "other",
        SITE_LOGO: "./other.svg",
      };
      expect(readSettings({ ...parent, ...environmentOf(settings) })).toEqual(settings);
    }
  });

  it("has the text of the contracts' module, which its file may no longer have, of any length", () => {
    const folder = temporaryFolder();
    const noise = Array.from({ length: 60_000 }, (_, index) => `${Math.sin(index)}`).join("");
    const [short, long] = ["short.mjs", "long.mjs"].map((name) => join(folder, name)) as [string, string];
    writeFileSync(short, 'export default { name: "Ä" };');
    writeFileSync(long, `export default { name: "${noise}" };`);
    const [first, second] = [short, long].map((CONTRACTS) => readSettings({ ...LEAST, CONTRACTS }));
    rmSync(short);
    rmSync(long);
    for (const settings of [first, second, readSettings(LEAST)]) {
      const env = environmentOf(settings as typeof first & object);
      expect(Object.values(env).every((value) => value.length < 128 * 1024)).toBe(true);
      // A child of a child has the variables of both.
      const parent = environmentOf(second as typeof first & object);
      expect(readSettings({ ...parent, ...env })).toEqual(settings);
    }
  });
});
