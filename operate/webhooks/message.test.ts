import { describe, expect, it } from "vitest";
import type { StreamMessage } from "../../client/follow.ts";
import {
  applyMessage,
  beginAfter,
  type Context,
  isLater,
  type TargetState,
  targetState,
  underFilter,
} from "./message.ts";

const NOW = Date.parse("2026-11-24T12:00:00Z");
const [A, B] = ["aaaaaaaa", "bbbbbbbb"];

const row = (block: number, hash = A, publicId = "lst_a"): StreamMessage =>
  ({
    type: "ledger",
    id: `${block}-1-${hash}`,
    event: { kind: "repaid", publicId, blockNumber: `${block}`, blockTime: "2026-03-01T12:00:00Z" },
  }) as StreamMessage;
const reorg = (from: number, id: string): StreamMessage => ({ type: "reorg", id, from: BigInt(from) });
const final = (through: number): StreamMessage => ({ type: "final", through: BigInt(through), root: null });
const HEAD_TIME = "2026-03-01T12:00:07Z";
const head = (id: string): StreamMessage => ({ type: "head", id, blockNumber: 9n, blockTime: HEAD_TIME });

/** The rows sent of these messages, and the position after them; all of them are taken at once. */
function play(
  finality: Context["finality"],
  messages: readonly StreamMessage[],
  {
    start = beginAfter("0", NOW),
    isWanted = () => true,
    rows: sentBefore = new Map(),
  }: { start?: TargetState; isWanted?: Context["isWanted"]; rows?: ReadonlyMap<string, string> } = {},
) {
  const rows = new Map(sentBefore);
  const sent: { id: string; body: { type: string; timestamp: string; data: Record<string, unknown> } }[] = [];
  let at = start;
  for (const message of messages) {
    at = applyMessage(at, message, {
      finality,
      isWanted,
      lastRowOf: (id) => rows.get(id),
      now: NOW,
    });
    if (at.sending === null) continue;
    sent.push({ id: at.sending.id, body: JSON.parse(at.sending.body) });
    if (at.sending.row !== null) rows.set(at.sending.row.listing, at.sending.row.id);
    at = { ...at, sending: null };
  }
  return { sent, at, rows, ids: sent.map(({ id }) => id), types: sent.map(({ body }) => body.type) };
}

describe("a target of final rows:", () => {
  it("each is one message, with the row's own id, its time and the row itself", () => {
    const { sent, at } = play("final", [row(5), final(5), head(`5-1-${A}`)]);
    expect(sent).toEqual([
      {
        id: `5-1-${A}`,
        body: {
          type: "ledger.repaid",
          timestamp: "2026-03-01T12:00:00Z",
          data: (row(5) as { event: unknown }).event,
        },
      },
    ]);
    expect(at.cursor).toBe(`5-1-${A}`);
  });

  it("rows that are sent again when a raise is published come once, and the raise's own rows too", () => {
    const { ids, at } = play("final", [
      ...[row(5), row(7), reorg(3, `2-1-${A}`), row(3, A, "lst_b"), row(5), row(6, A, "lst_b"), row(7)],
      ...[row(8), reorg(3, `2-1-${A}`), row(3, A, "lst_b")],
    ]);
    expect(ids).toEqual([5, 7, 3, 6, 8].map((block) => `${block}-1-${A}`));
    expect(at.cursor).toBe(`3-1-${A}`);
  });

  it("nothing that a filter left out is sent once there is another filter, whatever is published", () => {
    const wanted = new Set(["lst_a"]);
    const isWanted: Context["isWanted"] = ({ publicId }) => wanted.has(publicId);
    const rows = [row(5), row(6, A, "lst_b"), row(7)];
    const start = underFilter(beginAfter("0", NOW), "lst_a");
    const before = play("final", rows, { start, isWanted });
    expect(before.ids).toEqual([`5-1-${A}`, `7-1-${A}`]);
    wanted.add("lst_b");
    const again = [reorg(3, "0"), ...rows, row(8, A, "lst_b")];
    const same = play("final", again, { ...before, start: underFilter(before.at, "lst_a"), isWanted });
    expect(same.ids).toEqual([`6-1-${A}`, `8-1-${A}`]);
    const other = play("final", again, { ...before, start: underFilter(before.at, "lst_a lst_b"), isWanted });
    expect(other.ids).toEqual([`8-1-${A}`]);
  });

  it("nothing that a filter left out is sent by another one that begins while rows are read again", () => {
    const rows = [row(5), row(6, A, "lst_b"), row(7)];
    const isOf = (...listings: string[]): Context["isWanted"] => {
      return ({ publicId }) => listings.includes(publicId);
    };
    const start = underFilter(beginAfter("0", NOW), "lst_a");
    const before = play("final", rows, { start, isWanted: isOf("lst_a") });
    const goingBack = play("final", [reorg(3, "0"), row(5)], { ...before, start: before.at });
    // A state that an earlier release stored has only the cursor.
    const { furthest: _, ...stored } = before.at;
    for (const at of [goingBack.at, { ...before.at, cursor: "0" }, targetState.parse(stored)]) {
      const other = underFilter(at, "lst_a lst_b");
      expect([other.origin, other.cursor]).toEqual([`7-1-${A}`, `7-1-${A}`]);
      const again = [...rows, row(8, A, "lst_b")];
      const sent = play("final", again, { ...before, start: other, isWanted: isOf("lst_a", "lst_b") });
      expect(sent.ids).toEqual([`8-1-${A}`]);
    }
  });

  it("nothing from before the beginning is sent, whatever is published later", () => {
    const start = beginAfter(`6-1-${A}`, NOW);
    const { ids } = play(
      "final",
      [reorg(3, "0"), row(3, A, "lst_b"), row(6, A, "lst_b"), row(7, A, "lst_b")],
      { start },
    );
    expect(ids).toEqual([`7-1-${A}`]);
  });
});

describe("a target of pending rows:", () => {
  it("a withdrawal is announced, and the replacements have new ids, even for the same row", () => {
    const { ids, types, sent } = play("pending", [
      row(5),
      row(6),
      head(`6-1-${A}`),
      reorg(6, `5-1-${A}`),
      row(6, B),
      reorg(6, "0"),
      row(6),
    ]);
    const era = Math.floor(NOW / 1_000);
    expect(ids).toEqual([
      ...[`5-1-${A}-${era}`, `6-1-${A}-${era}`, `reorg-6-${era + 1}`, `6-1-${B}-${era + 1}`],
      ...[`reorg-6-${era + 2}`, `6-1-${A}-${era + 2}`],
    ]);
    expect(types.filter((type) => type === "chain.reorg")).toHaveLength(2);
    expect(sent[2]?.body).toEqual({
      type: "chain.reorg",
      timestamp: HEAD_TIME,
      data: { from: "6" },
    });
  });

  it("rows that were never sent are not withdrawn", () => {
    expect(play("pending", [reorg(3, "0"), row(5), reorg(6, `5-1-${A}`)]).types).toEqual(["ledger.repaid"]);
  });

  it("replacements of withdrawn rows come under another filter too, from a row that stays", () => {
    const { at } = play("pending", [row(5), row(6), reorg(6, `5-1-${A}`)]);
    expect(underFilter({ ...at, filter: "lst_a" }, "lst_b").cursor).toBe(`5-1-${A}`);
  });

  it.each([
    ["were sent", [row(99), row(100)]],
    ["were not sent", [row(97)]],
  ])("what replaces withdrawn rows that were called final and %s is called final again", (_, rows) => {
    const { sent } = play("pending", [...rows, final(100), reorg(98, `97-1-${A}`), row(99), final(100)]);
    const finals = sent.filter(({ body }) => body.type === "chain.final");
    expect(finals.map(({ body }) => body.data.through)).toEqual(["100", "100"]);
    expect(new Set(finals.map(({ id }) => id)).size).toBe(2);
  });

  it("rows that become final are announced once", () => {
    const finals = [final(2), row(5), final(4), final(4), final(5), final(6), row(7), final(7), final(7)];
    const { sent } = play("pending", finals);
    const settled = sent.filter(({ body }) => body.type === "chain.final");
    expect(settled.map(({ body }) => body.data.through)).toEqual(["4", "5", "7"]);
  });
});

it("a filter leaves rows out, and goes past them", () => {
  const context: Context = { finality: "final", isWanted: () => false, lastRowOf: () => undefined, now: NOW };
  const at = applyMessage(beginAfter("0", NOW), row(5), context);
  expect(at).toMatchObject({ sending: null, cursor: `5-1-${A}` });
});

it.each([
  ["5-2-aaaaaaaa", "5-1-bbbbbbbb", true],
  ["10-1-aaaaaaaa", "9-9-aaaaaaaa", true],
  ["5-1-aaaaaaaa", "5-1-bbbbbbbb", false],
  ["5-1-aaaaaaaa", "0", true],
  ["0", "0", false],
])("whether %s is later than %s: %s", (one, other, expected) => {
  expect(isLater(one, other)).toBe(expected);
});
