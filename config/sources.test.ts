import { describe, expect, it } from "vitest";
import { type Environment, readSettings } from "./environment.ts";
import { configuredSources, followedTokens, followsHolders } from "./sources.ts";

const A = `0x${"a1".repeat(20)}`;
const B = `0x${"b2".repeat(20)}`;
const settings = (env: Environment) =>
  readSettings({ RPC_URLS: "http://127.0.0.1:8545", REGISTRY: "r.json", ...env });

describe("the tokens whose holders are counted", () => {
  const LIST = { ESCROWS: `${A}@1` };
  const FACTORY = { ESCROW_FACTORY: `${B}@1` };

  it.each([
    [LIST, "of listed escrows"],
    [{ ...LIST, HOLDERS: "true" }, "of listed escrows"],
    [{ ...LIST, HOLDERS: "false" }, "none"],
    [FACTORY, "none"],
    [{ ...FACTORY, HOLDERS: "true" }, "of any escrow"],
    [{ ...LIST, ...FACTORY }, "of listed escrows"],
    [{ ...LIST, ...FACTORY, HOLDERS: "true" }, "of any escrow"],
    [{ ...LIST, ...FACTORY, HOLDERS: "false" }, "none"],
  ])("of %j are %s", (env, expected) => {
    const followed = settings(env);
    expect(followedTokens(followed)).toBe(expected);
    expect(configuredSources(followed).includes("ListingToken")).toBe(expected !== "none");
    expect(followsHolders(followed, A)).toBe(expected !== "none");
    expect(followsHolders(followed, B)).toBe(expected === "of any escrow");
  });
});
