import { zeroHash } from "viem";
import { expect, it } from "vitest";
import { pairKey } from "../../api/registry/schema.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";
import { business, entryDraft, registryOf } from "../../test/harness/rows.ts";
import { UNANNOUNCED } from "./listings.ts";
import { createNotes } from "./notes.ts";
import { compareEntries } from "./registry.ts";

it("looks for the places of the entries that it names, and of no others", () => {
  const entries = Array.from({ length: 20 }, (_, index) =>
    entryDraft({ publicId: `lst_${index + 1}`, onchainId: `${index + 1}` }),
  );
  const registry = registryOf(entries, [business()]);
  const listings = new Map(
    [...registry.listings].map((entry) => [pairKey(entry), { ...UNANNOUNCED, metadataHash: zeroHash }]),
  );
  const located: string[] = [];
  const checked = {
    ...{ name: "registry.json", registry, signer: null, problems: [], warnings: [] },
    findingOf: (text: string) => {
      located.push(text);
      return { line: located.length, column: 1, text };
    },
  };
  const notes = createNotes("registry");
  const onchain = { escrows: new Set<string>(), listings, upTo: 1 };
  const { lifecycle } = contractsOf({ contracts: null });
  compareEntries(checked, { registry, onchain, lifecycle }, notes);
  const texts = located.filter((path) => path.includes(".title"));
  expect(texts).toEqual(Array.from({ length: 10 }, (_, index) => `listings[${index}].title: `));
  const named = notes.findings.filter(({ what }) => what.includes("that the chain commits to"));
  expect(named).toHaveLength(10);
  expect(named[9]?.what).toMatch(/^registry\.json:\d+:1: title and description of lst_10 /);
});
