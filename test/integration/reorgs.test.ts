/**
 * The market after reorgs that take back and replace events of some raises, and raises themselves: it is what all rows make, without
 * reading them.
 */
import { type Address, zeroAddress } from "viem";
import { beforeAll, expect, test, vi } from "vitest";
import type { Deployment } from "../../demo/deploy.ts";
import { addressAndBlock } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { BACKER, emit, events, OTHER_BACKER } from "../harness/emit.ts";
import { type LedgerStory, ledgerStory, rollFrom } from "../harness/ledger-story.ts";
import { PATIENCE } from "../harness/patience.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { type Service, type ServiceOptions, startService } from "../harness/service.ts";

/** Raises in the first escrow from the beginning; as many more come and go. */
const LISTINGS = 4;
/** A raise that is drawn, whose token changes hands. */
const HELD = BigInt(2 * LISTINGS + 1);
const REORGS = 12;
const CHECKED = "The market was checked against all rows";
const SEED = Number(process.env.REORG_SEED ?? 20_261_129);

let chain: LocalChain;
let escrow: Deployment;
let token: Deployment;
let story: LedgerStory;
let services: Service[] = [];
const roll = rollFrom(SEED);
const head = () => chain.publicClient.getBlockNumber();

beforeAll(async () => {
  chain = await startChain();
  escrow = await deployRogueEscrow(chain);
  const unpublished = await deployRogueEscrow(chain);
  const desk = await deployRogueEscrow(chain);
  const escrows = [escrow.address, unpublished.address];
  token = await deployRogueEscrow(chain);
  story = ledgerStory({ chain, escrows, desk: desk.address, listings: LISTINGS, roll });
  await story.begin();
  await emit(
    chain,
    escrow.address,
    events.created(HELD, { token: token.address }),
    events.subscribed(HELD, 100n, 100n),
    events.closed(HELD, 100n),
    events.drawnDown(HELD, 100n, 4_000_000_000n),
  );
  for (let block = 0; block < 40; block++) await story.block(10);
  await chain.testClient.mine({ blocks: 70 });
  const options: ServiceOptions = {
    rpcUrl: chain.rpcUrl,
    escrows: [escrow, unpublished].map(addressAndBlock),
    registry: registryOf({ a: escrow.address }, Number(HELD)),
    desk: addressAndBlock(desk),
    env: { LOG_LEVEL: "debug", HOLDERS: "true" },
  };
  services = await Promise.all([
    startService(options),
    startService({ ...options, desk: "", isEmbedded: true }),
  ]);
});

const caughtUp = async () => {
  const block = await head();
  await Promise.all(services.map((service) => service.indexed(block)));
};
const linesOf = ({ log }: Service, message: string) =>
  log.filter((line) => line.includes(`"msg":"${message}"`));
const wholeReads = (service: Service) => linesOf(service, "Built the market from all rows").length;

/** The differences from all rows; compared again if a block has become final meanwhile. */
async function checked(service: Service): Promise<{ differences: string[] }> {
  const before = linesOf(service, CHECKED).length;
  return vi.waitFor(async () => {
    service.check();
    await vi.waitFor(() => expect(linesOf(service, CHECKED).length).toBeGreaterThan(before), {
      timeout: 3_000,
    });
    return JSON.parse(linesOf(service, CHECKED)[before] ?? "");
  }, PATIENCE);
}

const HOLDERS: readonly Address[] = [zeroAddress, BACKER, OTHER_BACKER];

/** One block with events of raises that were there, with a raise that was not, or with a transfer of a token. */
async function grow(): Promise<void> {
  if (roll(4) === 0) {
    const one = () => HOLDERS[roll(HOLDERS.length)] ?? zeroAddress;
    return void (await emit(chain, token.address, events.transferred(one(), one(), 1n)));
  }
  if (roll(3) > 0) return void (await story.block(1 + roll(6)));
  const id = BigInt(LISTINGS + 1 + roll(LISTINGS));
  await emit(chain, escrow.address, events.created(id), events.subscribed(id, 5n, 5n));
}

test("it is what all rows make, which are not read for it", async () => {
  await story.block(5);
  await chain.testClient.mine({ blocks: 2 });
  await caughtUp();
  const before = services.map(wholeReads);
  for (let reorg = 0; reorg < REORGS; reorg++) {
    const id = await chain.testClient.snapshot();
    const lost = 1 + roll(4);
    for (let block = 0; block < lost; block++) await grow();
    await caughtUp();
    await chain.testClient.revert({ id });
    // Later than what was taken back, as on a chain where blocks have their times.
    await chain.testClient.increaseTime({ seconds: 10 * lost });
    for (let block = roll(3); block >= 0; block--) await grow();
    await chain.testClient.mine({ blocks: lost + 1 });
    await caughtUp();
    for (const service of services)
      expect((await checked(service)).differences, `seed ${SEED}, reorg ${reorg}`).toEqual([]);
  }
  expect(services.map(wholeReads)).toEqual(before);
});
