/** @module The block of `test/vectors/blocks.json` that has logs, as an endpoint gives it. */
import { type Hex, numberToHex } from "viem";
import type { RpcHeader, RpcReceipt } from "../../chain/raw-blocks.ts";
import vectors from "../vectors/blocks.json" with { type: "json" };

type Vector = { name: string; header: RpcHeader; receipts: RpcReceipt[] | null };

const found = (vectors as unknown as Vector[]).find(({ name }) => name === "Prague, with receipts");
if (found?.receipts == null) throw new Error("there is no such block");

const { header } = found;
const place = { blockNumber: header.number, blockHash: header.hash };

export const RECEIPTS: readonly RpcReceipt[] = found.receipts.map((receipt, transaction) => ({
  ...receipt,
  logs: receipt.logs.map((log) => ({
    ...log,
    ...place,
    transactionHash: numberToHex(transaction + 1, { size: 32 }),
    transactionIndex: numberToHex(transaction),
  })),
}));

export const BLOCK: RpcHeader & { transactions: Hex[] } = {
  ...header,
  transactions: RECEIPTS.map((_, transaction) => numberToHex(transaction + 1, { size: 32 })),
};

/** As `eth_getLogs` gives them. */
export const LOGS = RECEIPTS.flatMap(({ logs }) => logs);
