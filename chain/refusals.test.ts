import { HttpRequestError, RpcRequestError } from "viem";
import { describe, expect, it } from "vitest";
import { errorIn, type RefusalKind, refusalKindOf, refusalOf } from "./refusals.ts";

/** Wordings as endpoints send them: the kind, the code, the message, and where it was seen. */
const WORDINGS: readonly (readonly [RefusalKind, number, string, string])[] = [
  [
    "rate",
    -32005,
    "project ID request rate exceeded",
    "Infura: status-im/status-app#14665, web3/web3.js#7284",
  ],
  [
    "rate",
    -32005,
    "daily request count exceeded, request rate limited",
    "Infura: CirclesUBI/circles-myxogastria#54",
  ],
  ["rate", -32005, "exceeded project rate limit", "Infura: status-im/status-go#4807"],
  ["rate", -32005, "rate limit exceeded", "Tenderly: fluencelabs/dev-rewards#20"],
  ["rate", -31999, "rate limit exceeded", "Ankr: Ankr-network/ankr-docs#1645"],
  [
    "rate",
    -32090,
    "Too many requests, reason: call rate limit exhausted, retry in 10s",
    "Ankr, the body of its HTTP 429 as others handle it",
  ],
  [
    "rate",
    -32007,
    "100/second request limit reached - reduce calls per second or upgrade your account at quicknode.com",
    "QuickNode: foundry-rs/foundry#4894",
  ],
  [
    "rate",
    -32005,
    "You've exceeded the RPS limit available on the current plan.",
    "Chainstack: BobTheBuidler/dank_mids",
  ],
  [
    "rate",
    429,
    "Your app has exceeded its compute units per second capacity. If you have retries enabled, you can safely ignore this message.",
    "Alchemy: docs.alchemy.com/reference/throughput",
  ],
  ["rate", -32012, "credits limited to 6000/sec", "BlockPI: foundry-rs/foundry#6712"],
  ["rate", -32016, "over rate limit", "OP proxyd: base/node#368"],
  [
    "rate",
    -32000,
    "Application POKT_APP_ID has exceeded its throughput limit",
    "Pocket: status-im/status-app#14665",
  ],
  [
    "rate",
    -32000,
    "429 Too Many Requests: You have reached maximum request limit",
    "0xPolygon/kurtosis-cdk#166",
  ],
  ["rate", -32000, "Requests per second limit exceeded", "reown-com/blockchain-api#1175"],
  [
    "rate",
    -32000,
    "Per anonymous IP rate limit exceeded. Limit: 50000 compute units per 300 seconds window.",
    "aptos-labs/aptos-core#16585",
  ],
  // Reported without a public thread.
  ["rate", -32000, "daily request limit reached", "reported"],
  ["rate", -32000, "exceeded RPS limit", "reported"],
  ["rate", -32000, "Request limit exceeded", "reported"],

  [
    "batch",
    31,
    "Batch of more than 3 requests are not allowed on free tier",
    "dRPC, 1rpc: hemilabs/ui-monorepo#887",
  ],
  ["batch", -32000, "batch limit 100 exceeded: 142 requests given", "Erigon: erigontech/erigon#7072"],
  [
    "batch",
    -32000,
    "batch limit 1000 exceeded (can increase by --rpc.batch.limit). Requested batch of size: 1062",
    "Erigon: blockscout/blockscout#8551",
  ],
  ["batch", -32600, "batch too large", "geth: rpc/errors.go"],
  ["batch", -32014, "too many RPC calls in batch request", "OP proxyd: rpc.go"],
  ["batch", -32600, 'Too many ["eth_getLogs"] methods in the batch', "AlphaWallet/alpha-wallet-ios#5021"],
  ["batch", -32600, "Invalid Request", "JSON-RPC 2.0: an endpoint without batches"],

  [
    "range",
    -32005,
    "query returned more than 10000 results. Try with this block range [0xBDE5F8, 0x102DBCC].",
    "Infura: ethers-io/ethers.js#4703",
  ],
  ["range", -32602, "range 1000000 exceeds limit of 10000", "Infura: INFURA/infura#237"],
  [
    "range",
    -32602,
    "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response.",
    "Alchemy: ethers-io/ethers.js#4703",
  ],
  [
    "range",
    -32600,
    "You can make eth_getLogs requests with up to a 500 block range.",
    "Alchemy: BobTheBuidler/dank_mids#772",
  ],
  [
    "range",
    -32000,
    "block range is larger than max block range, block range = 5120, max block range = 5000",
    "enviodev/hyperindex#605",
  ],
  ["range", -32600, "block range too high", "AlphaWallet/alpha-wallet-ios#5277"],
  [
    "range",
    -32614,
    "eth_getLogs is limited to a 10,000 range",
    "QuickNode: @ponder/utils, getLogsRetryHelper.ts",
  ],
  [
    "range",
    -32000,
    "requested too many blocks from 1 to 9000, maximum is set to 2048",
    "@ponder/utils, getLogsRetryHelper.ts",
  ],
  [
    "range",
    -32000,
    "exceeds the range allowed for your plan (5000 > 1000)",
    "@ponder/utils, getLogsRetryHelper.ts",
  ],
  ["range", -32000, "please limit the query to at most 1000 blocks", "@ponder/utils, getLogsRetryHelper.ts"],

  ["pruned", 4444, "pruned history unavailable", "geth: ethereum/go-ethereum#31939"],
  ["pruned", 4444, "Pruned history unavailable", "Nethermind: NethermindEth/nethermind#9539"],
  ["pruned", -32000, "Receipt not available for From block 14319330.", "NethermindEth/nethermind#12089"],
  [
    "pruned",
    -32000,
    "old data not available due to pruning: requested block 16999999, history is available from block 22000000",
    "Erigon: erigontech/erigon#19339",
  ],
  [
    "pruned",
    -32000,
    "state transitaion failed: seek with txNum=1962853355 but data before txNum=2662500000 is not available: blockNum=16999999, txNum=1962853355",
    "Erigon: erigontech/erigon#13198",
  ],
  // Reported without a public thread.
  ["pruned", -32000, "history has been pruned for this block", "reported"],
  ["pruned", -32000, "logs of these blocks have been pruned", "reported"],

  // BSC's official endpoints, for a method that is switched off: waiting does not help.
  ["other", -32005, "limit exceeded", "bnb-chain/bsc#1215, bnb-chain/docs-site#621"],
  ["other", -32000, "header not found", "geth"],
  ["other", -32601, "the method eth_getLogs does not exist/is not available", "geth: rpc/errors.go"],
  ["other", -32000, "missing trie node", "geth"],
  ["other", -32000, "execution reverted", "geth"],
];

describe("refusalOf", () => {
  it.each(WORDINGS)("takes for %s: %i %s (%s)", (kind, code, message) => {
    expect(refusalOf({ code, message }, { isBatch: kind === "batch" })).toEqual({ kind, message });
  });

  it("takes a rate limit for one also where it is the answer to a batch", () => {
    for (const [kind, code, message] of WORDINGS.filter(([kind]) => kind === "rate"))
      expect(refusalOf({ code, message }, { isBatch: true }).kind).toBe(kind);
  });

  it("goes by HTTP 429 and 413 whatever the words are", () => {
    expect(refusalOf("<html>", { status: 429 }).kind).toBe("rate");
    expect(refusalOf("<html>", { status: 413, isBatch: true }).kind).toBe("batch");
  });

  it("reads the data of an error too", () => {
    // Tenderly: bobanetwork/boba_legacy#827
    const data = { payload: "range 9009594 is bigger than range limit 2000" };
    expect(refusalOf({ code: -32602, message: "invalid params", data }).kind).toBe("range");
    expect(
      refusalOf({ message: "denied", data: "You’ve reached the request limit for free users!" }).kind,
    ).toBe("rate");
  });

  it.each([[undefined], [null], [7], [{}], [{ message: null }], [[]]])(
    "takes %j for a refusal without a reason",
    (error) => {
      expect(refusalOf(error)).toEqual({ kind: "other", message: "an error without a message" });
    },
  );
});

describe("errorIn", () => {
  it.each([
    [{ result: "0x1" }, undefined],
    [{ result: null, error: null }, undefined],
    [{ error: "denied" }, "denied"],
    [{ error: { code: 1 } }, { code: 1 }],
    [
      { code: -32007, message: "50/second request limit reached" },
      { code: -32007, message: "50/second request limit reached" },
    ],
    [[], undefined],
    ["text", undefined],
  ])("%j", (answer, error) => {
    expect(errorIn(answer)).toEqual(error);
  });
});

describe("refusalKindOf", () => {
  const url = "http://127.0.0.1:8545";
  it.each([
    [new HttpRequestError({ url, status: 429, details: "<html>" }), "rate"],
    [new HttpRequestError({ url, status: 403, details: "daily request limit reached" }), "rate"],
    [new RpcRequestError({ url, body: {}, error: { code: -32005, message: "exceeded RPS limit" } }), "rate"],
    [
      new RpcRequestError({ url, body: {}, error: { code: -32005, message: "block range too high" } }),
      "range",
    ],
    [new Error("rate limit", { cause: new HttpRequestError({ url, status: 429 }) }), "rate"],
    [new TypeError("fetch failed"), "other"],
    [null, "other"],
  ])("reads errors of viem: %s", (error, kind) => {
    expect(refusalKindOf(error)).toBe(kind);
  });
});
