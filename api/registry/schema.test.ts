/** The published schema and example against what the service accepts. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import {
  A,
  type Fields,
  problemsOf,
  readRegistry,
  registryDocument,
  withListing,
  withOriginator,
} from "../../test/harness/registry-document.ts";

describe("registry.schema.json", () => {
  const published = readFileSync(new URL("../../registry.schema.json", import.meta.url), "utf8");
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(JSON.parse(published));

  it("describes every property", () => {
    const visit = (schema: Fields, path: string): void => {
      for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, Fields>)) {
        expect(property.description, `${path}.${name}`).toBeTypeOf("string");
        visit(property, `${path}.${name}`);
      }
      if (schema.items) visit(schema.items as Fields, `${path}[]`);
    };
    visit(JSON.parse(published), "");
  });

  it("accepts what the service accepts, and refuses what a single entry shows to be wrong", async () => {
    expect(validate(registryDocument())).toBe(true);
    const terms = {
      ...{ targetAmount: "1", minRaise: "1", couponRateBps: 1, tenorDays: "1", insuranceBps: 1 },
      ...{ pricingMode: "fixed", goLiveAt: "2026-03-01T12:00:00Z" },
    };
    expect(validate(withListing({ terms, refnum: "FX00001", tokenAddress: A }))).toBe(true);
    for (const bad of [
      withListing({ terms: { ...terms, targetAmount: 1 } }),
      withListing({ terms: { ...terms, goLiveAt: "tomorrow" } }),
      withListing({ refnum: "1" }),
      withListing({ onchainId: "00" }),
      withListing({ extra: 1 }),
      withListing({ title: "x".repeat(201) }),
      withListing({ escrowAddress: "0x" }),
      withOriginator({ jurisdiction: "UK" }),
      withOriginator({ kybStatus: "" }),
      withOriginator({ website: "http://a.example" }),
      {},
    ]) {
      expect(validate(bad)).toBe(false);
      expect(await problemsOf(bad)).not.toEqual([]);
    }
  });
});

describe("registry.example.json", () => {
  it("is a registry with one originator and two listings", async () => {
    const example = await readRegistry(readFileSync(new URL("../../registry.example.json", import.meta.url)));
    expect([example.originators.length, example.listings.length]).toEqual([1, 2]);
  });
});
