/** @module The app over the chain of `proven-chain.ts`, with two listings that its events are of. */

import { createProvableBlocks } from "../../api/proof/blocks.ts";
import { createProofs } from "../../api/proof/proofs.ts";
import { type EventProof, type ListingProof, type VerifyOptions, verify } from "../../client/verify.ts";
import type { Contracts } from "../../src/contracts/compile.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";
import { appIn } from "./app.ts";
import { memoryLedger } from "./memory-ledger.ts";
import { createProvenChain, type Story } from "./proven-chain.ts";
import { entryDraft, listingRow, registryOf } from "./rows.ts";
import { snapshotOf, tablesOf } from "./snapshot.ts";

type ProvenAppOptions = {
  exposeAccounts?: boolean;
  story?: Story;
  contracts?: Contracts;
  /** what the contract's views answer, by the data of the call */
  views?: (data: string) => string | null;
};

export async function createProvenApp({
  exposeAccounts = true,
  story,
  contracts = contractsOf({ contracts: null }),
  views = () => null,
}: ProvenAppOptions = {}) {
  const chain = await createProvenChain(story, contracts);
  const node = chain.node();
  const listings = [1n, 2n].map((onchainId) => listingRow({ onchainId }));
  const registry = registryOf([entryDraft(), entryDraft({ onchainId: "2" })]);
  const app = await appIn({
    snapshot: await snapshotOf(tablesOf({ listings }), registry),
    overrides: {
      exposeAccounts,
      ledger: memoryLedger(chain.rows.toReversed()),
      proofs: createProofs({
        contracts,
        reader: chain.reader,
        blocks: createProvableBlocks({
          ...{ rpcUrls: ["http://node.example"], http: node.http },
          budget: { burst: 120, perSecond: 1 },
        }),
      }),
    },
  });
  const read = async <Body>(path: string): Promise<Body> => {
    const response = await app.request(`https://raises.example${path}`);
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  };
  return {
    app,
    chain,
    node,
    events: chain.rows.map(({ blockNumber, logIndex }) => `${blockNumber}-${logIndex}`),
    eventProof: (event: string) => read<EventProof>(`/v1/events/${event}/proof`),
    listingProof: (id: string) => read<ListingProof>(`/v1/listings/${id}/proof`),
    /** As a reader's node answers. */
    async rpc(request: Request): Promise<Response> {
      const { method, params } = (await request.json()) as { method: string; params: unknown[] };
      const [first] = params as [string | { data: string }];
      const result =
        typeof first === "string"
          ? { hash: chain.hashOf(first) }
          : method === "eth_call"
            ? views(first.data)
            : null;
      return Response.json({ jsonrpc: "2.0", id: 1, result });
    },
  };
}

/** The address of a reader's node. */
export const RPC = "https://node.example/key";

/** Every proof of that app, and the verdict of a reader with their own node. */
export async function provenProofs(options: ProvenAppOptions = {}) {
  const proven = await createProvenApp(options);
  const events = await Promise.all(proven.events.map(proven.eventProof));
  const listings = await Promise.all(["lst_1", "lst_2"].map(proven.listingProof));
  const check = (proof: EventProof | ListingProof, more: Partial<VerifyOptions> = {}) =>
    verify(proof, { rpc: RPC, fetch: proven.rpc, proofOf: proven.eventProof, ...more });
  return { proven, events, listings, check };
}
