import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { describe, expect, it } from "vitest";
import { readSettings } from "./environment.ts";
import { VARIABLE_NAMES, VARIABLES } from "./variables.ts";

describe(".env.example", () => {
  const text = readFileSync(new URL("../.env.example", import.meta.url), "utf8");

  it("names every variable, and none that is not read", () => {
    const named = [...text.matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name);
    expect([...new Set(named)].toSorted()).toEqual(VARIABLE_NAMES.toSorted());
  });

  it("is a configuration that reads, also with every commented line switched on", () => {
    expect(readSettings(parseEnv(text)).rpcUrls).toHaveLength(1);
    const everything = parseEnv(text.replace(/^# ([A-Z_]+=)/gm, "$1"));
    expect(Object.keys(everything).toSorted()).toEqual(VARIABLE_NAMES.toSorted());
    // A file that an operator writes.
    expect(readSettings({ ...everything, CONTRACTS: "" }).database.kind).toBe("postgres");
  });
});

it("has a row for every variable on the settings page", () => {
  const page = readFileSync(new URL("../docs/operations/settings.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(([, name]) => name);
  expect([...new Set(rows)].toSorted()).toEqual(VARIABLE_NAMES.toSorted());
});

describe("the examples", () => {
  it("are values that their own variable takes", () => {
    for (const name of VARIABLE_NAMES) {
      expect(VARIABLES[name].schema.safeParse(VARIABLES[name].example).success, name).toBe(true);
    }
  });
});
