/**
 * Proofs of a random history through the real contracts and of one that breaks every rule: each event's verifies by a model that
 * shares nothing with its maker and by the client, and so do the totals, which are those that are served.
 */
import type { Address } from "viem";
import { beforeAll, expect, test } from "vitest";
import { type EventProof, type ListingProof, verify } from "../../client/verify.ts";
import { addressAndBlock, deployDesk, deployDollar, deployEscrow } from "../../demo/deploy.ts";
import { EVENT_KINDS } from "../../src/fold/vocabulary.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { emit, events } from "../harness/emit.ts";
import { playHistory } from "../harness/history/history.ts";
import { chosenSeed, random } from "../harness/history/random.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { playRogueHistory } from "../harness/rogue-history.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { type Service, startService } from "../harness/service.ts";
import { type AssertAnswer, createAnswerValidator } from "../harness/validate.ts";
import { judgeEvent, judgeTotals } from "../model/proof.ts";

const ROGUE_IDS = 12;

type Listing = { publicId: string } & Record<string, string>;
type Events = {
  events: { blockNumber: string; logIndex: number; finality: string }[];
  page: { nextCursor: string | null };
};

let chain: LocalChain;
let rogue: Address;
let service: Service;
let assertAnswer: AssertAnswer;

beforeAll(async () => {
  chain = await startChain({ genesisTimestamp: 1_600_000_000, keptStates: 200 });
  const { address: dollar } = await deployDollar(chain);
  const escrow = await deployEscrow(chain, { dollar });
  const desk = await deployDesk(chain, { dollar });
  const rogueEscrow = await deployRogueEscrow(chain);
  rogue = rogueEscrow.address;
  const seed = chosenSeed(2_026);
  const honest = await playHistory({
    ...{ chain, dollar, seed, actions: 250 },
    ...{ escrows: [escrow.address], desk: desk.address },
  });
  await playRogueHistory(chain, rogue, { random: random(seed), ids: ROGUE_IDS, blocks: 40 });
  // The one kind that neither history has of a visible listing.
  const ids = Array.from({ length: ROGUE_IDS }, (_, index) => BigInt(index + 1));
  await emit(chain, rogue, ...ids.map((id) => events.claimed(id, 5n, 5n)));
  await chain.testClient.mine({ blocks: 40 });
  const published = registryOf({ rogue }, ROGUE_IDS);
  const { originators, listings } = honest.registry();
  service = await startService({
    rpcUrl: chain.rpcUrl,
    escrows: [escrow, rogueEscrow].map(addressAndBlock),
    desk: `${desk.address}@${desk.blockNumber}`,
    registry: {
      originators: [...originators, ...published.originators],
      listings: [...listings, ...published.listings],
    },
    env: { PROOF_CALLS: "10000" },
  });
  await service.indexed(await chain.publicClient.getBlockNumber());
  assertAnswer = createAnswerValidator(await service.json("/openapi.json"));
});

const hashes = new Map<string, Promise<string>>();
/** As the chain itself says. */
function hashOf(block: string): Promise<string> {
  const known =
    hashes.get(block) ?? chain.publicClient.getBlock({ blockNumber: BigInt(block) }).then(({ hash }) => hash);
  hashes.set(block, known);
  return known;
}

const eventProof = (id: string) => service.json<EventProof>(`/v1/events/${id}/proof`);
const listingsNow = async () => (await service.json<{ listings: Listing[] }>("/v1/listings")).listings;

test("every event has a proof, by which anybody can check it", async () => {
  const ids: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { events, page }: Events = await service.json(
      `/v1/events?limit=200${cursor && `&cursor=${cursor}`}`,
    );
    expect(new Set(events.map(({ finality }) => finality))).toEqual(new Set(["final"]));
    ids.push(...events.map(({ blockNumber, logIndex }) => `${blockNumber}-${logIndex}`));
    cursor = page.nextCursor;
  }
  expect(ids.length).toBeGreaterThan(200);
  const kinds = new Set<string>();
  for (const id of ids) {
    const proof = await eventProof(id);
    judgeEvent(proof, await hashOf(proof.block.number));
    kinds.add(proof.event.kind);
  }
  // The project's contracts have no event that cannot be mapped.
  expect([...kinds].sort()).toEqual(EVENT_KINDS.filter((kind) => kind !== "unmapped").sort());
  const [first = ""] = ids;
  assertAnswer(`/v1/events/${first}/proof`, await service.get(`/v1/events/${first}/proof`));
  const verdict = await verify(await eventProof(first), { rpc: chain.rpcUrl });
  expect(verdict.sentence).toMatch(/^Proven: /);
});

test("the totals that are served follow from proven events, and the contracts say the same", async () => {
  const seen = { proven: 0, unexplained: 0, parts: 0 };
  for (const listing of await listingsNow()) {
    const proof = await service.json<ListingProof>(`/v1/listings/${listing.publicId}/proof`);
    const totals = Object.entries(proof.totals);
    for (const [name, { value }] of totals)
      if (name in listing) expect(value, `${listing.publicId} ${name}`).toBe(listing[name]);
    expect(await hashOf(proof.asOf.blockNumber)).toBe(proof.asOf.hash);
    const isRogue = listing.publicId.startsWith("lst_rogue");
    if (totals.some(([, { sumOf }]) => sumOf === null)) {
      expect(isRogue, listing.publicId).toBe(true);
      seen.unexplained += 1;
      continue;
    }
    await judgeTotals(proof, hashOf, eventProof);
    const options = { rpc: chain.rpcUrl, proofOf: eventProof, complete: !isRogue };
    const { checks } = await verify(proof, options);
    expect(
      checks.filter(({ holds }) => !holds),
      listing.publicId,
    ).toEqual([]);
    seen.proven += 1;
    seen.parts += totals.reduce((sum, [, { sumOf }]) => sum + (sumOf?.length ?? 0), 0);
  }
  expect(seen.proven).toBeGreaterThan(20);
  expect(seen.parts).toBeGreaterThan(0);
  expect(seen.unexplained).toBeLessThan(ROGUE_IDS);
});

test("an event that a reorganisation can still undo has to wait", async () => {
  const id = (await listingsNow()).find(({ publicId }) => publicId.startsWith("lst_rogue"))?.onchainId ?? "";
  const block = await emit(chain, rogue, events.repaid(BigInt(id), 1n, 1n, 1n));
  await service.indexed(block);
  const path = `/v1/events/${block}-0/proof`;
  const answer = await service.get(path);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([409, "2"]);
  assertAnswer(path, answer);
});
