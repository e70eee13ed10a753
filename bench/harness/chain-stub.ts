/** @module The chain as the API asks it: its id and its head, which is the tables' own. */
import { text } from "node:stream/consumers";
import { numberToHex } from "viem";
import { HEAD } from "../../test/harness/rows.ts";
import { serve } from "./serve.ts";

const ANSWERS: Readonly<Record<string, unknown>> = {
  eth_chainId: numberToHex(97),
  eth_getBlockByNumber: {
    number: numberToHex(HEAD.number),
    timestamp: numberToHex(HEAD.timestamp),
    hash: `0x${"01".repeat(32)}`,
    transactions: [],
  },
};

let url: Promise<string> | undefined;

/** The URL of the one stub of this process. */
export function chainStub(): Promise<string> {
  url ??= serve(async (request, response) => {
    const { id, method } = JSON.parse(await text(request)) as { id: number; method: string };
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: ANSWERS[method] ?? null }));
  }).then((port) => `http://127.0.0.1:${port}`);
  return url;
}
