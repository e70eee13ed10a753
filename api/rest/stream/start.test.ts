import { describe, expect, it } from "vitest";
import { emptyOnward } from "../../../test/harness/fixed-ledger.ts";
import { snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import type { IdStatus, OnwardReader } from "../../ledger/read-onward.ts";
import { BEFORE_ALL, decodeRowId } from "../../ledger/row-id.ts";
import { startAfter } from "./start.ts";

const snapshot = await snapshotOf(tablesOf());
const head = snapshot.market.head.number;
const base = head - 30n;
const followed = {
  snapshot,
  base,
  root: null,
  anchor: null,
  finalRow: `${base - 5n}-0-aaaaaaaa`,
  blocks: [],
};

function startAt(
  id: string | null,
  place: IdStatus = "unknown",
  rowTime = snapshot.market.head.timestamp,
  pair: string | null = null,
  refolded: bigint | null = null,
  finalOnly = false,
) {
  const reader: OnwardReader = {
    ...emptyOnward(),
    place: async () => place,
    lastRow: async (until) => ({
      id: `${until}-9-bbbbbbbb`,
      block: { number: until, hash: "0xbb" },
      blockTime: rowTime,
    }),
    refoldedFrom: async () => refolded,
    firstBlock: async () => base - 20n,
  };
  const sources = { current: () => followed, reader, filter: { pair, finalOnly } };
  return startAfter(id === null ? null : decodeRowId(id), "after", sources);
}
const textOf = (bytes: Uint8Array | null) => bytes && new TextDecoder().decode(bytes);

describe("a follower begins", () => {
  it("at the first row if its id is 0", async () => {
    expect(await startAt(BEFORE_ALL)).toEqual({ after: null, first: null, floor: null });
  });

  it("after the last final row if it has no id", async () => {
    const { after, floor } = await startAt(null);
    expect(after?.blockNumber).toBe(base);
    expect(floor).toEqual({ block: base, lastRow: followed.finalRow });
  });

  it("after the row of its id", async () => {
    const { after, first } = await startAt(`${base - 3n}-7-deadbeef`, "on chain");
    expect(after).toMatchObject({ blockNumber: base - 3n, logIndex: 7 });
    expect(first).toBeNull();
  });

  it.each([
    ["not final", head - 2n],
    ["final by now", base - 2n],
  ])("where the fork of its id left the chain, in blocks that are %s", async (_, number) => {
    const { after, first } = await startAt(`${number}-7-deadbeef`, { lost: number - 4n });
    expect(after?.blockNumber).toBe(number - 5n);
    expect(textOf(first)).toBe(
      `event: reorg\nid: ${number - 5n}-9-bbbbbbbb\ndata: {"from":"${number - 4n}"}\n\n`,
    );
  });

  it("at the first row of a raise that has opened since then, which it was not shown before", async () => {
    const openings = snapshot.market.listings.map(({ goLiveAt }) => Date.parse(goLiveAt ?? "") / 1_000);
    const last = BigInt(Math.max(...openings.filter(Number.isFinite)));
    const { after, first } = await startAt(`${base - 3n}-7-deadbeef`, "on chain", last - 1n);
    expect(after?.blockNumber).toBe(base - 21n);
    expect(textOf(first)).toContain(`data: {"from":"${base - 20n}"}`);
    expect((await startAt(`${base - 3n}-7-deadbeef`, "on chain", last)).first).toBeNull();
    const ofAnother = await startAt(`${base - 3n}-7-deadbeef`, "on chain", last - 1n, "another listing");
    expect(ofAnother.first).toBeNull();
  });

  describe("with an id that says as of which final block it was sent", () => {
    const openings = snapshot.market.listings.map(({ goLiveAt }) => Date.parse(goLiveAt) / 1_000);
    const opened = BigInt(Math.max(...openings));
    const since = async (number: bigint, seconds: bigint, refolded: bigint | null = null) =>
      textOf(
        (
          await startAt(
            `${base - 3n}-7-deadbeef@${number}.${seconds}`,
            "on chain",
            opened - 9n,
            null,
            refolded,
          )
        ).first,
      );

    it("after that row, where no raise has opened since that block", async () => {
      expect(await since(base, opened)).toBeNull();
      expect(await since(base - 3n, opened)).toBeNull();
    });

    it("at the first row of a raise that has opened since that block", async () => {
      expect(await since(base, opened - 1n)).toContain(`data: {"from":"${base - 20n}"}`);
    });

    it("as without, where that block is before the row", async () => {
      expect(await since(base - 4n, opened)).toContain(`data: {"from":"${base - 20n}"}`);
    });

    it("after that row, where events were missing after it alone", async () => {
      expect(await since(base, opened, base - 2n)).toBeNull();
      expect(await since(base, opened, base - 3n)).toContain(`data: {"from":"${base - 3n}"}`);
    });
  });

  it("at the first block that got missing events since then, also where its fork was left", async () => {
    const { head } = snapshot.market;
    const from = async (place: IdStatus) =>
      textOf((await startAt(`${base - 3n}-7-deadbeef`, place, head.timestamp, null, base - 9n)).first);
    expect(await from("on chain")).toContain(`"from":"${base - 9n}"`);
    expect(await from({ lost: base - 4n })).toContain(`"from":"${base - 9n}"`);
    const final = startAt(`${base - 3n}-7-deadbeef`, "on chain", head.timestamp, null, base - 9n, true);
    expect((await final).first).toBeNull();
  });

  it("at the first pending row if its id may come from another server's fork", async () => {
    const { after, first } = await startAt(`${base + 1n}-7-deadbeef`);
    expect(after?.blockNumber).toBe(base);
    expect(textOf(first)).toContain(`data: {"from":"${base + 1n}"}`);
  });
});

describe("an id is refused", () => {
  it.each([
    ["of a final block that has another hash", base],
    ["far above the head", head + 10_001n],
  ])("%s", async (_, number) => {
    await expect(startAt(`${number}-7-deadbeef`)).rejects.toMatchObject({
      problem: { code: "invalid_parameter", errors: [{ parameter: "after" }] },
    });
  });

  it.each([1n, 10_000n])("for the moment if another server may be %s blocks ahead", async (blocks) => {
    await expect(startAt(`${head + blocks}-7-deadbeef`)).rejects.toMatchObject({
      problem: { code: "reorganising", headers: { "Retry-After": "2" } },
    });
  });
});
