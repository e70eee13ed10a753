import { type Hex, keccak256 } from "viem";
import { describe, expect, it } from "vitest";
import vectors from "../test/vectors/blocks.json" with { type: "json" };
import { encodeHeader, HeaderError } from "./header.ts";
import type { RpcHeader, RpcReceipt } from "./raw-blocks.ts";
import { createReceiptTrie, encodeReceipt } from "./receipts.ts";

type Vector = { name: string; header: RpcHeader; receipts: RpcReceipt[] | null };
const BLOCKS = vectors as unknown as Vector[];
const PRAGUE = BLOCKS.find(({ name }) => name === "Prague") as Vector;

describe("encodeHeader", () => {
  it.each(BLOCKS)("$name: hashes to the known hash", ({ header }) => {
    expect(keccak256(encodeHeader(header))).toBe(header.hash);
  });

  it("omits the fields that a node shows of a later fork", () => {
    const before = BLOCKS.find(({ name }) => name === "before London") as Vector;
    const shown = {
      ...before.header,
      baseFeePerGas: "0x0",
      withdrawalsRoot: `0x${"00".repeat(32)}`,
    } as const;
    expect(encodeHeader(shown)).toBe(encodeHeader(before.header));
  });

  it("leaves out what is not hex and not in the header", () => {
    const before = BLOCKS.find(({ name }) => name === "before London") as Vector;
    expect(encodeHeader({ ...before.header, requestsHash: "0x123" })).toBe(encodeHeader(before.header));
  });

  it("encodes a field that is missing between others as the empty string", () => {
    // As BSC between Cancun and Bohr, whose headers have later fields and no beacon root.
    const { parentBeaconBlockRoot: _, ...header } = PRAGUE.header;
    const root = PRAGUE.header.parentBeaconBlockRoot ?? "0x";
    const bytes = encodeHeader(PRAGUE.header).replace(`a0${root.slice(2)}`, "80");
    const shorter = `0xf9${((bytes.length - 8) / 2).toString(16).padStart(4, "0")}${bytes.slice(8)}` as Hex;
    expect(encodeHeader({ ...header, hash: keccak256(shorter) })).toBe(shorter);
  });

  it.each(["stateRoot", "extraData", "timestamp", "requestsHash", "hash"] as const)(
    "refuses another %s",
    (field) => {
      const other = { ...PRAGUE.header, [field]: `0x${"12".repeat(32)}` };
      expect(() => encodeHeader(other)).toThrow(HeaderError);
    },
  );

  it.each([`${PRAGUE.header.extraData}zz`, `${PRAGUE.header.extraData}0`, 1, ["0x"]])(
    "refuses %j as bytes",
    (extraData) => {
      const other = { ...PRAGUE.header, extraData } as RpcHeader;
      expect(() => encodeHeader(other)).toThrow(HeaderError);
    },
  );
});

describe("createReceiptTrie", () => {
  it.each(BLOCKS.filter(({ receipts }) => receipts !== null))(
    "$name: has the header's root",
    async (block) => {
      const { root } = await createReceiptTrie((block.receipts ?? []).map(encodeReceipt));
      expect(root).toBe(block.header.receiptsRoot);
    },
  );

  it("has the root of the empty trie for a block without transactions", async () => {
    const { root } = await createReceiptTrie([]);
    // Yellow Paper: keccak256(rlp("")).
    expect(root).toBe(keccak256("0x80"));
  });
});
