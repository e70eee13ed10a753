import { describe, expect, it } from "vitest";
import type { UnfitEndpoint } from "../../../config/unfit-endpoints.ts";
import { failed } from "../../../operate/audit/audit.ts";
import { ANOMALY_KINDS } from "../../../src/fold/vocabulary.ts";
import { appIn, type Situation, siteDependenciesIn } from "../../../test/harness/app.ts";
import { asking } from "../../../test/harness/asking.ts";
import { DESK, HEAD, listingRow } from "../../../test/harness/rows.ts";
import { OPERATOR } from "../../../test/harness/signed-registry.ts";
import {
  blocksOf,
  exactRows,
  factIn,
  hrefsIn,
  sectionOf,
  tableIn,
} from "../../../test/harness/site-pages.ts";
import { COMPLETE, SITE, snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import { auditWith, findingOf, look } from "../../../test/harness/system-page.ts";
import { auditBadgeOf } from "../proof.ts";

const ahead = (blocks: bigint) => ({ number: HEAD.number + blocks, timestamp: HEAD.timestamp + blocks });

const disputed = await snapshotOf(tablesOf({ disputed: 48_211_010n }));

const UNFIT: UnfitEndpoint[] = [
  { endpoint: "one.example", reason: "unusable_logs" },
  { endpoint: "two.example", reason: "pruned" },
];
const omitting = await snapshotOf(tablesOf({ completeness: { ...COMPLETE, omitting: ["rpc.example"] } }));

describe("the page on the service", () => {
  it("says that all is well, and how far it is", async () => {
    const { page, facts, words, state } = await look({ upstreamHead: ahead(3n) });
    expect(page).toMatchObject({ path: "/system", isLive: true, updated: "2026-03-01T12:00:00Z" });
    expect(state).toEqual(["All systems normal"]);
    expect(facts).toMatchObject({
      status: "ok",
      indexedBlock: "48211034",
      headBlock: "48211037",
      blocksBehind: "3",
      lagSeconds: "3",
      finalizedBlock: "48211004",
      startBlock: "48210034",
      version: "0.1.0",
    });
    expect(page.sections.flatMap((section) => blocksOf(section, "progress"))).toEqual([]);
    expect(page.sections.flatMap((section) => blocksOf(section, "notice"))).toEqual([]);
    expect(words).toContain("No inconsistencies found on the chain so far.");
    expect(hrefsIn(page)).toEqual(
      expect.arrayContaining(["/", "/v1/health", "/v1/ready", "/v1/audit", "/v1/anomalies"]),
    );
  });

  it("says which of several machines reads the chain, and how many stand by", async () => {
    const one = { id: "9f86d081", since: "2026-03-01T12:00:00Z" };
    const instances = { indexing: one, standby: [{ ...one, id: "0a1b2c3d" }] };
    const { facts, page } = await look({ overrides: { instances: () => instances } });
    expect(facts).toMatchObject({ "instances.indexing": "9f86d081", "instances.standby": "1" });
    expect(JSON.stringify(page)).toContain("Machines standing by");
    expect(JSON.stringify(page)).not.toContain("0a1b2c3d");
    const none = await look({ overrides: { instances: () => ({ indexing: null, standby: [] }) } });
    expect(none.facts).toMatchObject({ "instances.indexing": "none", "instances.standby": "0" });
  });

  it("shows how far a backfill has come", async () => {
    const snapshot = await snapshotOf(tablesOf({ backfilled: false }));
    const { page, state } = await look({ snapshot, upstreamHead: ahead(3_000n) });
    expect(state).toEqual(["Catching up"]);
    const refused = { registry: { status: "refused" as const, problem: "listings[3].title" } };
    const both = await look({ snapshot, upstreamHead: ahead(3_000n), ...refused });
    expect(both.state).toEqual(["Needs attention"]);
    expect(blocksOf(sectionOf(both.page, "status"), "progress")).toHaveLength(1);
    expect(blocksOf(sectionOf(page, "status"), "progress").map(({ progress }) => progress)).toEqual([
      {
        label: "Blocks indexed",
        value: "1000",
        max: "4000",
        marks: [],
        text: "25% of blocks 48,210,034 to 48,214,034",
      },
    ]);
  });

  it("says how many figures an audit could not compare", async () => {
    const audited = auditWith({ checks: 12, notAuditable: ["0xe5: raisedAmount()", "0xe5: dollar()"] });
    const { facts, words } = await look(audited);
    expect(facts["audit.notAuditable"]).toBe("2");
    expect(words).toContain("again for every figure that they report");
    expect(auditBadgeOf((await siteDependenciesIn(audited)).audit.state())?.text).toBe(
      "Checked against the contracts at block 48,211,000: 12 figures, 0 differences, 2 could not be compared",
    );
  });

  it("shows the index's progress only in the banner", async () => {
    const backfilling = await snapshotOf(tablesOf({ backfilled: false }));
    for (const snapshot of [null, backfilling]) {
      const body = await (await appIn({ snapshot, upstreamHead: ahead(3_000n) })).request("/system.md");
      const text = await body.text();
      const sentence = snapshot === null ? "We have not read any blocks" : "Catching up with the blockchain";
      expect(text.split(sentence)).toHaveLength(2);
    }
  });

  it("has no figure that it does not know before the first block", async () => {
    const { page, facts, state } = await look({ snapshot: null, upstreamHead: null });
    expect(state).toEqual(["Starting"]);
    expect(facts).toMatchObject({
      indexedBlock: null,
      headBlock: null,
      blocksBehind: null,
      finalizedBlock: null,
    });
    expect(page.updated).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(tableIn(sectionOf(page, "contracts")).rows).toEqual([]);
    const known = await look({ snapshot: null, upstreamHead: ahead(0n) });
    expect(known.page.updated).toBe("2026-03-01T12:00:00Z");
    expect(blocksOf(sectionOf(known.page, "status"), "progress")[0]?.progress).toMatchObject({
      value: "0",
      max: "1000",
    });
  });

  it("is not behind a head that it has overtaken", async () => {
    const { facts } = await look({ upstreamHead: ahead(-2n) });
    expect(facts).toMatchObject({ status: "ok", blocksBehind: "0", lagSeconds: "0" });
  });

  it.each([
    ["the nodes disagree", { snapshot: disputed }, ["disagree about a block"]],
    ["an endpoint left logs out", { snapshot: omitting }, ["left out events of a block"]],
    [
      "endpoints are unfit",
      { overrides: { endpoints: { current: () => UNFIT } } },
      ["lacks a part of the history"],
    ],
    ["the node is silent", { secondsSinceSeen: 61 }, ["has not responded"]],
    [
      "the registry was refused",
      { registry: { status: "refused", problem: "listings[3].title" } },
      ["last valid copy"],
    ],
    ["the audit is red", auditWith({ status: "red", findings: [findingOf()] }), ["figures that differ"]],
    [
      "all of it",
      {
        secondsSinceSeen: 61,
        registry: { status: "refused", problem: "listings[3].title" },
        ...auditWith({ status: "red", findings: [findingOf()] }),
      },
      ["has not responded", "last valid copy", "figures that differ"],
    ],
  ] satisfies [string, Situation, string[]][])(
    "says why it is degraded when %s",
    async (_, situation, reasons) => {
      const { page, facts, state } = await look(situation);
      expect(state).toEqual(["Needs attention"]);
      expect(facts.status).toBe("degraded");
      const notices = blocksOf(sectionOf(page, "status"), "notice").map(({ text }) => text);
      expect(notices).toHaveLength(reasons.length);
      // It is at the head all the same: a full bar would read as if that were still to come.
      expect(blocksOf(sectionOf(page, "status"), "progress")).toEqual([]);
      for (const [at, reason] of reasons.entries()) expect(notices[at]).toContain(reason);
      for (const notice of notices) expect(notice).toMatch(/ Noticed at .*2026.*\.$/);
    },
  );

  it("says where a picture cannot be used, which is no reason to be degraded", async () => {
    const { facts, state } = await look({ registry: { images: 3, imageProblem: "listings[0].cover" } });
    expect(facts).toMatchObject({ status: "ok", "registry.imageProblem": "listings[0].cover" });
    expect(state).toEqual((await look()).state);
  });

  it("says who signed the registry, and since when it is in use", async () => {
    const { page, facts } = await look({ registry: { signer: OPERATOR, revision: 8 } });
    expect(facts).toMatchObject({ "registry.signer": OPERATOR, "registry.revision": "8" });
    expect(facts).toMatchObject({ "registry.sinceBlock": `${HEAD.number}` });
    expect(factIn(page, "registry.signer").note).toContain("has not signed are rejected");
    const { page: unsigned } = await look();
    expect(factIn(unsigned, "registry.signer").note).toContain("Not signed");
  });

  it("has the registry's problem as text", async () => {
    const problem = 'listings[3].escrowAddress: not an address: "<script>"';
    const { page } = await look({ registry: { status: "refused", problem } });
    expect(factIn(page, "registry.problem").value).toEqual({ kind: "text", text: problem });
  });

  it("explains every kind of anomaly", async () => {
    const anomalies = Object.fromEntries(ANOMALY_KINDS.map((kind, index) => [kind, index + 1]));
    const { page } = await look({ snapshot: await snapshotOf(tablesOf({ anomalies })) });
    const facts = ANOMALY_KINDS.map((kind) => factIn(page, `anomalies.byKind.${kind}`));
    expect(new Set(facts.map(({ label }) => label)).size).toBe(ANOMALY_KINDS.length);
    expect(new Set(facts.map(({ note }) => note)).size).toBe(ANOMALY_KINDS.length);
  });
});

describe("the last audit on it", () => {
  it("has not been, is running, or says what it compared", async () => {
    expect(factIn((await look()).page, "audit").note).toContain("No audit has finished");
    const noteOf = async (situation: Situation) => factIn((await look(situation)).page, "status").note;
    expect(await noteOf({})).toContain("No audit has finished yet");
    expect(await noteOf(auditWith({}))).toContain("found nothing wrong");
    expect(await noteOf(auditWith(failed("no node answers")))).toContain("could not be completed");
    const running = { done: 3, total: 40 };
    const audit = { start: () => {}, state: () => ({ running, last: null }) };
    expect((await look({ overrides: { audit } })).words).toContain("3 of 40 queries");
    const { facts, page } = await look(auditWith({ events: 12, checks: 345 }));
    expect(facts).toMatchObject({ "audit.status": "ok", "audit.events": "12", "audit.checks": "345" });
    expect(blocksOf(sectionOf(page, "audit"), "table")).toEqual([]);
  });

  it("lists what differs, and no more than a page takes", async () => {
    const whole = findingOf({ check: "balance", onchainId: null, refnum: null, field: "requiredBalance" });
    const findings = [findingOf(), findingOf({ refnum: null }), whole];
    const { page } = await look(auditWith({ status: "red", findings }));
    const rows = exactRows(tableIn(sectionOf(page, "audit")));
    expect(rows[0]).toEqual({
      refnum: "RB00003",
      field: "raisedAmount",
      check: "the escrow's own figures",
      expected: "100",
      found: "99",
      block: "48211000",
    });
    expect(rows.map(({ refnum }) => refnum)).toEqual(["RB00003", "Id 3", "The whole escrow"]);

    const many = await look(auditWith({ status: "red", findings: Array(61).fill(findingOf()) }));
    expect(tableIn(sectionOf(many.page, "audit")).rows).toHaveLength(50);
    expect(many.words).toContain("Not shown in this table: 11 findings of the whole audit.");
    expect(many.facts["audit.findings"]).toBe("61");
  });

  it("says why it failed, which does not degrade the service", async () => {
    const { words, facts } = await look(auditWith(failed("The audit could not be done: <b>timeout</b>")));
    expect(words).toContain("The audit could not be done: <b>timeout</b>");
    expect(facts).toMatchObject({ status: "ok", "audit.status": "failed", "audit.block": null });
  });
});

describe("what it says of contracts and versions", () => {
  it("names the escrows with visible raises, and the desk", async () => {
    const other = `0x${"e6".repeat(20)}` as const;
    const rows = [listingRow({ onchainId: 1n }), listingRow({ onchainId: 2n })];
    const snapshot = await snapshotOf(tablesOf({ listings: rows }));
    const publicSettings = { ...SITE, desk: DESK, followsHolders: (address: string) => address === other };
    const { page } = await look({ snapshot, overrides: { publicSettings } });
    expect(exactRows(tableIn(sectionOf(page, "contracts")))).toEqual([
      { address: rows[0]?.escrowAddress, role: "Escrow", listings: "2", followsHolders: "false" },
      { address: DESK, role: "Secondary desk", listings: null, followsHolders: null },
    ]);
  });

  it("names the versions that the description and the card announce", async () => {
    const ask = asking(await appIn());
    const description = JSON.parse((await ask("/openapi.json")).text);
    const card = JSON.parse((await ask("/.well-known/mcp/server-card.json")).text);
    const { facts } = await look();
    expect(facts.apiVersion).toBe(description.info.version);
    expect(facts.mcpRevisions?.split(", ")).toEqual(card.remotes[0].supportedProtocolVersions);
  });

  it("has a badge to paste, with absolute addresses", async () => {
    const { page, words } = await look();
    const badge = sectionOf(page, "badge");
    expect(words).toContain("It now says: ok.");
    expect(blocksOf(badge, "picture")[0]?.picture).toMatchObject({
      src: "/system/badge.svg",
      alt: "Badge: ok",
    });
    const [block] = blocksOf(badge, "snippet");
    expect(block?.snippet.text).toBe(
      "[![State of the service](https://raises.example/system/badge.svg)](https://raises.example/system)",
    );
  });
});
