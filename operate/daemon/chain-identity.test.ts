import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readSettings } from "../../config/environment.ts";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { type RpcProxy, startRpcProxy } from "../../test/harness/rpc-proxy.ts";
import { checkChainIdentity, noteChain } from "./chain-identity.ts";
import type { ChainEndpoint } from "./check-chain.ts";

const HEAD = 5_000;
let proxy: RpcProxy;
let node: ChainEndpoint;
let directory: string;

/** A node whose blocks have their number for a hash; it has dropped those below 100. */
beforeAll(async () => {
  proxy = await startRpcProxy("http://127.0.0.1:1");
  proxy.answers = ({ params = [] }) => {
    const number = Number(params[0]);
    return number < 100 || number > HEAD ? null : { hash: `0x${number}` };
  };
  node = { url: proxy.url, head: HEAD, timeout: 5_000 };
});
beforeEach(() => {
  directory = temporaryFolder();
});

const settingsFrom = (startBlock: number, dataDirectory = directory) =>
  readSettings({
    RPC_URLS: node.url,
    ESCROWS: `0x${"c0".repeat(20)}@${startBlock}`,
    REGISTRY: "registry.json",
    RAISEBOOK_DATA_DIR: dataDirectory,
  });
const noteFile = () => join(directory, "chain.json");
const noted = () => JSON.parse(readFileSync(noteFile(), "utf8"));

describe("noteChain", () => {
  it("notes chain, number and hash of the first block that is indexed", async () => {
    await noteChain(settingsFrom(300), node);
    expect(noted()).toEqual({ chainId: 97, blockNumber: 300, blockHash: "0x300" });
  });

  it("notes a block that no reorg reaches, and only once", async () => {
    await noteChain(settingsFrom(4_999), node);
    await noteChain(settingsFrom(300), node);
    expect(noted()).toEqual({ chainId: 97, blockNumber: 4_000, blockHash: "0x4000" });
  });
});

describe("checkChainIdentity", () => {
  it.each([
    ["the noted chain", { chainId: 97, blockNumber: 300, blockHash: "0x300" }, true],
    ["another chain with the same blocks", { chainId: 56, blockNumber: 300, blockHash: "0x300" }, false],
    ["another block in the place", { chainId: 97, blockNumber: 300, blockHash: "0x0" }, false],
    ["a chain that has not come that far", { chainId: 97, blockNumber: 6_000, blockHash: "0x6000" }, false],
    ["a node without its old blocks", { chainId: 97, blockNumber: 50, blockHash: "0x50" }, true],
    ["a note that cannot be read", "{", true],
  ])("%s", async (_, note, isSame) => {
    writeFileSync(noteFile(), typeof note === "string" ? note : JSON.stringify(note));
    const problems = await checkChainIdentity(settingsFrom(300), node);
    expect(problems.map(({ variable }) => variable)).toEqual(isSame ? [] : ["RAISEBOOK_DATA_DIR"]);
  });

  it("names both ids after a change of CHAIN_ID, also for a node without its old blocks", async () => {
    writeFileSync(noteFile(), JSON.stringify({ chainId: 56, blockNumber: 50, blockHash: "0x50" }));
    expect(await checkChainIdentity(settingsFrom(300), node)).toMatchObject([
      { problem: expect.stringContaining("its id was 56, and CHAIN_ID is 97") },
    ]);
  });

  it("knows nothing of a database in memory", async () => {
    const settings = settingsFrom(300, "memory://");
    await noteChain(settings, node);
    expect(await checkChainIdentity(settings, node)).toEqual([]);
  });
});
