import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readContractsFile } from "../../config/contracts-file.ts";
import { EVENT_KINDS } from "../fold/vocabulary.ts";
import { describeContracts } from "./describe.ts";

const at = (path: string) => readContractsFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)));

it("says of each event of the project's contracts what it means", () => {
  const { name, isModule, decimals, events } = describeContracts({ contracts: null });
  expect({ name, isModule, decimals }).toEqual({ name: "Raisebook", isModule: false, decimals: 18 });
  expect(events.flatMap(({ kinds }) => kinds).sort()).toEqual(
    EVENT_KINDS.filter((kind) => kind !== "unmapped").toSorted(),
  );
  expect(events.filter(({ emitter }) => emitter === "desk")).toHaveLength(3);
});

it("finds the kinds that depend on a flag, and none where they depend on a text", () => {
  const pools = describeContracts({ contracts: at("demo/contracts/pooled-loans/contracts.mjs") });
  expect(pools).toMatchObject({ name: "Pooled loans", isModule: true, decimals: 6 });
  expect(pools.events).toContainEqual({
    declaration: "TrancheCancelled(uint256 indexed trancheId, bool wasLocked)",
    emitter: "escrow",
    kinds: ["listing_cancelled", "listing_voided"],
  });
  const foreign = describeContracts({ contracts: at("test/harness/foreign/module.ts") });
  const kindsOf = (name: string) =>
    foreign.events.find(({ declaration }) => declaration.startsWith(`${name}(`))?.kinds;
  expect(kindsOf("Returned")).toEqual(["refunded"]);
  expect(kindsOf("Done")).toEqual([]);
});
