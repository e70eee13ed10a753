import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import { toLedgerArgs } from "../../src/fold/ledger.ts";
import { arbitraryHistory } from "../../test/harness/arbitrary-history.ts";
import { ALICE, BOB, ESCROW, OTHER_ESCROW } from "../../test/harness/book.ts";
import { forged } from "../../test/harness/forge.ts";
import { eventIdAt } from "../../test/harness/ledger-table.ts";
import { type LedgerFileHeader, ledgerFileText, openLedgerFile } from "./ledger-file.ts";
import { type FiledEvent, LedgerFileError } from "./ledger-line.ts";

const DESK: Hex = `0x${"de".repeat(20)}`;
const FACTORY: Hex = `0x${"fa".repeat(20)}`;
const hashOf = (seed: bigint): Hex => `0x${(seed + 1_000_000n).toString(16).padStart(64, "0")}`;

function filed(
  position: number,
  kind: FiledEvent["row"]["kind"],
  args: object,
  time = BigInt(position >> 1),
): FiledEvent {
  // Two events a block.
  const block = BigInt(position >> 1);
  const at = {
    blockNumber: block,
    blockTime: time,
    txHash: hashOf(BigInt(position)),
    logIndex: position % 2,
    part: 0,
  };
  const eventId = eventIdAt({ time, block, log: at.logIndex });
  const row = { escrowAddress: ESCROW, onchainId: 1n, eventId, ...at, kind, args: toLedgerArgs(args) };
  return { row, blockHash: hashOf(block) };
}

/** Any events of a listing, an offer of its token and a log of the desk that could not be mapped, with addresses as in their columns. */
const histories = arbitraryHistory().map((events): FiledEvent[] => {
  let [block, time] = [-1, 0n];
  const escrows = events.map(({ kind, args, at }, position) => {
    if (position >> 1 !== block) [block, time] = [position >> 1, at.blockTime];
    return filed(position, kind, args, time);
  });
  const offer = {
    desk: DESK,
    offerId: 7n,
    amount: 2n ** 255n,
    priceBps: 9_500n,
    expiresAt: 9n,
    token: BOB,
    seller: ALICE,
  };
  const ofDesk = filed(events.length + 4, "unmapped", { logName: "Deposited" }, 10_001n);
  return [
    ...escrows,
    filed(events.length + 2, "offer_created", offer, 10_000n),
    { ...ofDesk, row: { ...ofDesk.row, escrowAddress: DESK, onchainId: 0n } },
  ];
});

function headerOf(events: readonly FiledEvent[], changes: Partial<LedgerFileHeader> = {}): LedgerFileHeader {
  return {
    chainId: 97,
    escrows: [{ address: ESCROW, startBlock: 0 }],
    escrowFactory: { address: FACTORY, startBlock: 0 },
    desk: { address: DESK, startBlock: 0 },
    ledgerKey: "key",
    last: { number: 1_000, hash: hashOf(1_000n) },
    escrowChildren: [[OTHER_ESCROW, 3]],
    events: events.length,
    ...changes,
  };
}

async function packed(header: LedgerFileHeader, events: readonly FiledEvent[]): Promise<Buffer> {
  const source = async function* () {
    yield* events;
  };
  return gzipSync((await allOf(ledgerFileText(header, source()))).join(""));
}

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** All of a file, from pieces of any size. */
async function read(bytes: Uint8Array, piece = 64) {
  const file = await openLedgerFile(async function* () {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  });
  return { header: file.header, events: await allOf(file.events()) };
}

it("gives back what was written, and the same bytes for the same ledger", async () => {
  const sizes = fc.integer({ min: 1, max: 5_000 });
  await fc.assert(
    fc.asyncProperty(histories, sizes, async (events, piece) => {
      const header = headerOf(events);
      const bytes = await packed(header, events);
      expect(await read(bytes, piece)).toEqual({ header, events });
      expect(await packed(header, events)).toEqual(bytes);
    }),
  );
});

it("has every escrow that a factory has announced", async () => {
  const escrowChildren = Array.from({ length: 300_000 }, (_, index): [Hex, number] => [
    `0x${(index + 1).toString(16).padStart(40, "0")}`,
    900,
  ]);
  const { header } = await read(await packed(headerOf([], { escrowChildren }), []), 65_536);
  expect(header.escrowChildren.length).toBe(300_000);
  expect(header.escrowChildren.at(-1)).toEqual(escrowChildren.at(-1));
});

it("has a line for each event, which gzip alone unpacks", async () => {
  const events = [filed(0, "payout_claimed", { holder: ALICE, amount: 5n, totalClaimed: 2n ** 200n })];
  const [, line] = gunzipSync(await packed(headerOf(events), events))
    .toString()
    .split("\n");
  expect(line).toBe(
    `{"eventId":"${"0".repeat(10)}${"97".padStart(16, "0")}${"0".repeat(32)}5${"0".repeat(16)}",` +
      `"blockHash":"${hashOf(0n)}","txHash":"${hashOf(0n)}","escrowAddress":"${ESCROW}","onchainId":"1",` +
      `"kind":"payout_claimed","args":{"holder":"${ALICE}","amount":"5","totalClaimed":"${2n ** 200n}"}}`,
  );
});

it("keeps text with whatever ends lines elsewhere", async () => {
  const refnum = "RB\u2028\u2029\r\n\\\t\u{1F600}";
  const [created] = fc
    .sample(histories, 100)
    .flatMap((events) => events.filter(({ row }) => row.kind === "listing_created"));
  if (created === undefined) throw new Error("no history creates a listing");
  const events = [{ ...created, row: { ...created.row, args: { ...created.row.args, refnum } } }];
  expect((await read(await packed(headerOf(events), events))).events).toEqual(events);
});

describe("a file that is not what was exported", () => {
  const place = fc.nat(1_000_000);
  const byte = fc.integer({ min: 1, max: 255 });
  const mutated = (bytes: Uint8Array, at: number, by: number) =>
    bytes.map((value, index) => (index === at % bytes.length ? value ^ by : value));

  it("is refused with any byte of its text changed", async () => {
    await fc.assert(
      fc.asyncProperty(histories, place, byte, async (events, at, by) => {
        const text = gunzipSync(await packed(headerOf(events), events));
        await expect(read(gzipSync(mutated(text, at, by)))).rejects.toThrow(LedgerFileError);
      }),
      { numRuns: 300 },
    );
  });

  it("is refused after a change of any byte or, if the byte has no meaning, read as the same", async () => {
    await fc.assert(
      fc.asyncProperty(histories, place, byte, async (events, at, by) => {
        const header = headerOf(events);
        const outcome = await read(mutated(await packed(header, events), at, by)).catch((error) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(LedgerFileError);
        else expect(outcome).toEqual({ header, events });
      }),
      { numRuns: 300 },
    );
  });

  it("is refused when it was cut off anywhere", async () => {
    await fc.assert(
      fc.asyncProperty(histories, place, fc.boolean(), async (events, at, isText) => {
        const bytes = await packed(headerOf(events), events);
        const text = gunzipSync(bytes);
        const cut = isText
          ? gzipSync(text.subarray(0, at % text.length))
          : bytes.subarray(0, at % bytes.length);
        await expect(read(cut)).rejects.toThrow(LedgerFileError);
      }),
      { numRuns: 300 },
    );
  });

  it("is refused with anything after its end", async () => {
    const file = await packed(headerOf([]), []);
    for (const more of ["more", "{}\n"]) {
      await expect(read(gzipSync(`${gunzipSync(file)}${more}`))).rejects.toThrow(LedgerFileError);
      await expect(read(Buffer.concat([file, gzipSync(more)]))).rejects.toThrow(LedgerFileError);
    }
  });

  it("is refused when it never was one", async () => {
    await expect(read(Buffer.from("SELECT 1;"))).rejects.toThrow("no ledger file");
    await expect(read(gzipSync('{"format":"other"}\n{}\n'))).rejects.toThrow(
      'line 1: "format": is no ledger file',
    );
    await expect(read(new Uint8Array())).rejects.toThrow("cut off");
  });
});

describe("a file that was made to fit its digest", () => {
  const claim = (position: number) =>
    filed(position, "payout_claimed", { holder: ALICE, amount: 5n, totalClaimed: 5n });
  const events = [claim(0), claim(1), claim(2)];
  const swap = (from: string | RegExp, to: string) => (lines: string[]) =>
    lines.map((line, index) => (index === 2 ? line.replace(from, to) : line));

  it.each<[string, (lines: string[]) => string[]]>([
    ["is not after the one before it", ([head = "", a = "", b = "", c = ""]) => [head, b, a, c]],
    ["is not after the one before it", ([head = "", a = "", , c = ""]) => [head, a, a, c]],
    ["is no log of chain 97", swap("0000000000000097", "0000000000000056")],
    ["is no log of chain 97", swap(/5(0{15}1",)/, "2$1")],
    ["is of another escrow", swap(ESCROW, BOB)],
    ["has another block than its number", swap(hashOf(0n), hashOf(5n))],
    ["expected 20 bytes as 0x and lowercase hex", swap(ALICE, ALICE.toUpperCase().replace("X", "x"))],
    ['"amount": expected a whole number as decimal text', swap('"amount":"5"', '"amount":"-5"')],
    ['"amount": Invalid input', swap('"amount":"5"', '"amount":5')],
    ["payout_claimed: Unrecognized key", swap('"amount"', '"more":1,"amount"')],
    ['"kind"', swap("payout_claimed", "paid_out")],
    ["it is no JSON", swap("{", "[")],
  ])("is refused where an event %s", async (problem, change) => {
    await expect(read(forged(await packed(headerOf(events), events), change))).rejects.toThrow(problem);
  });

  it("is refused where a text has a NUL, which PostgreSQL has not", async () => {
    const [created] = fc
      .sample(histories, 100)
      .flat()
      .filter(({ row }) => row.kind === "listing_created");
    if (created === undefined) throw new Error("no history creates a listing");
    const file = await packed(headerOf([created]), [created]);
    const change = (lines: string[]) =>
      lines.map((line) => line.replace(/"refnum":"\w+"/, '"refnum":"R\\u0000"'));
    await expect(read(forged(file, change))).rejects.toThrow('"refnum": has a NUL');
  });

  it("names the line", async () => {
    const file = forged(await packed(headerOf(events), events), swap(ESCROW, BOB));
    await expect(read(file)).rejects.toThrow("line 3: event ");
  });

  it("is refused where an event is outside of the blocks of the file or of its escrow", async () => {
    const after = headerOf(events, { last: { number: 0, hash: hashOf(0n) }, escrowChildren: [] });
    await expect(read(await packed(after, events))).rejects.toThrow("is after the last block");
    const before = headerOf(events, { escrows: [{ address: ESCROW, startBlock: 1 }] });
    await expect(read(await packed(before, events))).rejects.toThrow("before the first block of its escrow");
    const ofDesk = headerOf([], { desk: { address: ESCROW, startBlock: 1 }, escrows: [], events: 1 });
    const unmapped = [filed(0, "unmapped", { logName: "Deposited" })];
    await expect(read(await packed(ofDesk, unmapped))).rejects.toThrow(
      "before the first block of its escrow",
    );
    await expect(read(await packed(ofDesk, [claim(2)]))).rejects.toThrow("is of another escrow");
  });

  it("takes a listed escrow's own first block, whatever the factory says", async () => {
    const listed = headerOf(events, { escrowChildren: [[ESCROW, 900]] });
    expect((await read(await packed(listed, events))).events).toEqual(events);
  });

  it("is refused if no factory can have announced an escrow of it", async () => {
    for (const changes of [
      { escrowFactory: null },
      { escrowFactory: { address: FACTORY, startBlock: 4 } },
      { last: { number: 2, hash: hashOf(2n) } },
    ]) {
      await expect(read(await packed(headerOf(events, changes), events))).rejects.toThrow(
        "was not announced",
      );
    }
  });

  it("is not written with fewer events than the ledger has", async () => {
    await expect(packed(headerOf(events, { events: 4 }), events)).rejects.toThrow("4 events, and 3");
  });
});
