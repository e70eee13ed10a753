import { describe, expect, it } from "vitest";
import { business } from "../../test/harness/market.ts";
import { entryDraft, HEAD, listingRow, NOW, registryOf } from "../../test/harness/rows.ts";
import { SITE } from "../../test/harness/snapshot.ts";
import type { FlowRow } from "../market/flows.ts";
import { createProjection } from "../market/project.ts";
import { differences } from "./differences.ts";

const IDS = [1n, 2n, 3n, 4n];
const registry = registryOf(
  IDS.map((id) => entryDraft({ onchainId: `${id}` })),
  [business()],
);
const head = (blocks: bigint) => ({ number: HEAD.number + blocks, timestamp: HEAD.timestamp + blocks });
const live = (onchainId: bigint) => listingRow({ onchainId });
const ended = (onchainId: bigint) =>
  listingRow({ onchainId, closeAt: NOW, terminalKind: "cancelled", terminalAt: NOW });
const flow = (onchainId: bigint, measure: FlowRow["measure"]): FlowRow => ({
  ...{ escrowAddress: listingRow().escrowAddress, onchainId, day: 20_000, measure, amount: 5n },
});

/** The market of these listings and flows, in as many blocks, the last of which is always the same. */
function marketOf(...blocks: (readonly [ReturnType<typeof listingRow>[], FlowRow[]])[]) {
  const archive = { atOnce: 2, block: 2 };
  const projection = createProjection({ registry, publicSettings: SITE, start: HEAD, archive });
  const rows = { repayments: [], offers: [], trades: [], holders: new Map() };
  const markets = blocks.map(([listings, flows], index) => {
    const at = head(BigInt(index + 9 - blocks.length));
    return projection.advance({ ...rows, listings, flows }, at, at.number);
  });
  return markets.at(-1) ?? expect.unreachable();
}

describe("raises of an archive are the same", () => {
  it("whichever ended first", async () => {
    const flows = [flow(1n, "committed"), flow(2n, "committed")];
    const one = marketOf([IDS.slice(2).map(ended), []], [IDS.slice(0, 2).map(ended), flows]);
    const other = marketOf([IDS.map(ended), flows]);
    expect(one.listings.archived?.length).toBe(4);
    expect(await differences(one, other)).toEqual([]);
  });

  it("whatever the order in which their flows came", async () => {
    const ids = IDS.slice(0, 2);
    const [reserves, committed] = [
      ids.map((id) => flow(id, "reservesPosted")),
      ids.map((id) => flow(id, "committed")),
    ];
    const one = marketOf([ids.map(live), reserves], [ids.map(live), committed], [ids.map(ended), []]);
    const other = marketOf([ids.map(ended), [...committed, ...reserves]]);
    expect(one.listings.archived?.length).toBe(2);
    expect(await differences(one, other)).toEqual([]);
  });

  it("only with the same flows", async () => {
    const one = marketOf([IDS.map(ended), [flow(1n, "committed")]]);
    const other = marketOf([IDS.map(ended), [flow(1n, "withdrawn")]]);
    expect(await differences(one, other)).toContain("lst_1");
  });

  it("only when their reference numbers lead to the same one", async () => {
    const one = marketOf([IDS.map(ended), []]);
    expect(one.listings.archived?.length).toBe(4);
    const astray = { ...one.publicIdByRefnum, get: () => "lst_2" };
    expect(await differences(one, { ...one, publicIdByRefnum: astray })).toEqual(
      expect.arrayContaining(["lst_1", "lst_3", "lst_4"]),
    );
  });
});

it("markets differ in what is not published", async () => {
  const one = marketOf([IDS.map(live), []]);
  expect(await differences(one, { ...one, unpublished: one.unpublished + 1 })).toEqual(["unpublished"]);
});
