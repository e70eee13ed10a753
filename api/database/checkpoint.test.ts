import { describe, expect, it } from "vitest";
import type { Completeness, LogsProven } from "../../config/completeness.ts";
import { checkpointAt } from "../../test/harness/ledger-table.ts";
import { withinFinality } from "../ledger/query-fields.ts";
import { type CheckpointRow, toCheckpoint } from "./checkpoint.ts";

/** A block's, with its number as its time. */
const checkpoint = (block: number) => checkpointAt({ time: block, block });

/** Finality if block 100 cannot be reverted and block 110 is the last one. */
function finalBlockWith(completeness: Completeness | null, unproven: number | null = null) {
  const row: CheckpointRow = {
    ...{ checkpoint: checkpoint(110), finalized: checkpoint(100), irreversible: checkpoint(100) },
    ...{
      finality: null,
      disputed: null,
      backfilled: true,
      written: true,
      reverted: false,
      reverts: "0",
      indexer: null,
    },
    ...{ completeness, unproven: unproven === null ? null : checkpoint(unproven), tallies: [] },
  };
  return toCheckpoint(row)?.finalized;
}

const finalWith = (...of: Parameters<typeof finalBlockWith>) => finalBlockWith(...of)?.number;

const provenTo = (mode: LogsProven, block: number | null): Completeness => ({
  ...{ mode, upTo: block === null ? null : checkpoint(block), proven: "0", unproven: "0", omitting: [] },
});

describe("what is final", () => {
  it("is what cannot be reverted, where nothing is known of proofs or wanted", () => {
    expect([finalWith(null), finalWith(provenTo("none", null))]).toEqual([100n, 100n]);
  });

  it("is the block before the first event that is not proven", () => {
    const events = provenTo("events", 90);
    expect([finalWith(events), finalWith(events, 95), finalWith(events, 105)]).toEqual([100n, 94n, 100n]);
  });

  it("is as late as that event, whose block can have the time of the one before", () => {
    const finalized = finalBlockWith(provenTo("events", 90), 95);
    if (finalized === undefined) throw new Error("nothing is final");
    const [before, then] = [{ time: 94n }, { time: 95n }];
    const ofFinality = (finality: "final" | "pending") =>
      [before, then].map((time) => withinFinality({ since: time, until: time }, finality, { finalized }));
    // Block 94 may have time 94 or 95, and block 95 has time 95.
    expect(ofFinality("final")).toEqual([
      { since: before, until: before },
      { since: then, until: { block: 94n } },
    ]);
    expect(ofFinality("pending")).toEqual([
      { since: { block: 95n }, until: before },
      { since: { block: 95n }, until: then },
    ]);
  });

  it("ends at the last checked block where any block may lack its only log", () => {
    const checked = [90, 105, null].map((block) => finalWith(provenTo("possible", block)));
    expect(checked).toEqual([90n, 100n, 0n]);
    expect(finalWith(provenTo("possible", 90), 95)).toBe(90n);
  });
});
