/**
 * The real service over a random history of one escrow, all of which is final, and the proof of the raise in it that was repaid most often.
 * @module
 */
import type { ListingProof } from "../../client/verify.ts";
import { type LocalChain, startChain } from "../../demo/chain.ts";
import { deployDollar, deployEscrow } from "../../demo/deploy.ts";
import { playHistory } from "../harness/history/history.ts";
import { startService } from "../harness/service.ts";

const SEED = 2_027;
const ACTIONS = 150;
/** More blocks than can be undone. */
const SETTLED = 40;

type ProvenSite = {
  /** without a slash at the end */
  url: string;
  chain: LocalChain;
  proof: ListingProof;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function openProvenSite(): Promise<ProvenSite> {
  await using opening = new AsyncDisposableStack();
  const chain = await startChain({ genesisTimestamp: 1_600_000_000, keptStates: 200 });
  opening.defer(() => chain.stop());
  const { address: dollar } = await deployDollar(chain);
  const escrow = await deployEscrow(chain, { dollar });
  const history = await playHistory({
    ...{ chain, dollar, escrows: [escrow.address] },
    ...{ seed: SEED, actions: ACTIONS },
  });
  await chain.testClient.mine({ blocks: SETTLED });
  const service = await startService({
    rpcUrl: chain.rpcUrl,
    escrows: [`${escrow.address}@${escrow.blockNumber}`],
    registry: history.registry(),
    env: { PROOF_CALLS: "10000" },
  });
  opening.defer(async () => void (await service.stop()));
  await service.indexed(await chain.publicClient.getBlockNumber());
  const { listings } = await service.json<{ listings: { publicId: string }[] }>("/v1/listings");
  const proofs = await Promise.all(
    listings.map(({ publicId }) => service.json<ListingProof>(`/v1/listings/${publicId}/proof`)),
  );
  const parts = ({ totals }: ListingProof) => totals.repaidAmount.sumOf?.length ?? 0;
  const [proof] = proofs.toSorted((one, other) => parts(other) - parts(one));
  if (proof === undefined || parts(proof) < 2) throw new Error("no raise was repaid twice");
  const stack = opening.move();
  return { url: service.url, chain, proof, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
