import { describe, expect, it } from "vitest";
import { type Environment, readSettings } from "./environment.ts";
import { configuredSources, followsHolders, issuersOf } from "./sources.ts";

const A = `0x${"a1".repeat(20)}`;
const B = `0x${"b2".repeat(20)}`;
const settings = (env: Environment) =>
  readSettings({ RPC_URLS: "http://127.0.0.1:8545", REGISTRY: "r.json", ...env });

describe("the tokens whose holders are counted", () => {
  const LIST = { ESCROWS: `${A}@1` };
  const FACTORY = { ESCROW_FACTORY: `${B}@1` };

  it.each([
    [LIST, "none"],
    [{ ...LIST, HOLDERS: "false" }, "none"],
    [FACTORY, "none"],
    [{ ...LIST, ...FACTORY }, "none"],
    [{ ...LIST, HOLDERS: "true" }, "those of listed escrows"],
    [{ ...FACTORY, HOLDERS: "true" }, "those of any escrow"],
    [{ ...LIST, ...FACTORY, HOLDERS: "true" }, "those of any escrow"],
  ])("of %j are %s", (env, expected) => {
    const followed = settings(env);
    expect(configuredSources(followed).includes("ListingToken")).toBe(expected !== "none");
    expect(followsHolders(followed, A)).toBe(expected !== "none");
    expect(followsHolders(followed, B)).toBe(expected === "those of any escrow");
    if (expected === "those of listed escrows") expect(issuersOf(followed)).toEqual([A]);
    if (expected === "those of any escrow") expect(issuersOf(followed)).toBeUndefined();
  });
});
