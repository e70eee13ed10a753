/**
 * Another market's contracts, followed through a module: the same story is told by an escrow of ours and by one with other events, six
 * decimals and no running totals, and both markets are the same, in bulk and event by event, on both databases, live and after a reorg.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Abi,
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  parseAbi,
  toFunctionSelector,
} from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { type EventProof, type ListingProof, verify } from "../../client/verify.ts";
import { readSettings } from "../../config/environment.ts";
import { rogueEscrowAbi } from "../../contracts/artifacts/RogueEscrow.ts";
import type { Deployment } from "../../demo/deploy.ts";
import { audit } from "../../operate/audit/audit.ts";
import { connectTables, readIndexedState } from "../../operate/audit/indexed-state.ts";
import * as tables from "../../ponder.schema.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { BACKER, events, ORIGINATOR, OTHER_BACKER, tokenOf } from "../harness/emit.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { answer, EMITTER, FOREIGN_MODULE, logOf, send } from "../harness/foreign/foreign.ts";
import { LOST_RAISE } from "../harness/foreign/module.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { type Service, startService } from "../harness/service.ts";
import { type AssertAnswer, createAnswerValidator } from "../harness/validate.ts";

const FOREIGN: Hex = `0x${"f0".repeat(20)}`;
const SCALE = 10n ** 12n;
const SETTINGS = { CONTRACTS: FOREIGN_MODULE, REGISTRY: "registry.json" };
const TEXT: Hex = `0x${"7e".repeat(32)}`;

let chain: LocalChain;
let ours: Deployment;
let foreignFrom: bigint;

beforeAll(async () => {
  chain = await startChain();
  ours = await deployRogueEscrow(chain);
  foreignFrom = await chain.publicClient.getBlockNumber();
  await chain.testClient.setCode({ address: FOREIGN, bytecode: EMITTER });
  await chain.testClient.setAutomine(false);
});

/** The events of both markets in one transaction; theirs is one event. Amounts in units of six decimals. */
type Told = { ours: Hex | Hex[]; theirs: Hex };

/** Both in one block, so that they have the same time. */
async function tell(...told: readonly Told[]): Promise<bigint> {
  for (const one of told) {
    await chain.walletClient(1).writeContract({
      ...{ address: ours.address, abi: rogueEscrowAbi, functionName: "batch", args: [[one.ours].flat()] },
      gas: 1_000_000n,
    });
    await send(chain, FOREIGN, one.theirs);
  }
  await chain.testClient.mine({ blocks: 1 });
  return chain.publicClient.getBlockNumber();
}

/** A raise and its totals, which only our contract tells. */
function raiseOf(id: bigint) {
  const code = `RB${id.toString().padStart(5, "0")}`;
  const closeAt = 4_000_000_000n;
  const token = tokenOf(id);
  let [raised, refunded, reserve, owed, claimed] = [0n, 0n, 0n, 0n, 0n];
  const units = (amount: bigint) => amount * SCALE;
  return {
    opened: (): Told => ({
      ours: events.created(id, {
        ...{ refnum: code, token, metadataHash: TEXT, targetAmount: units(1_000n), minRaise: units(100n) },
        closeAt,
      }),
      theirs: logOf(
        ...(["RaiseOpened", id, ORIGINATOR, token, code, 1_000n, 100n, 1450, 500, 90, false, 1n] as const),
        ...([closeAt, TEXT] as const),
      ),
    }),
    deposited(amount: bigint, backer: Hex = BACKER, payer: Hex = backer): Told {
      raised += amount;
      const by = payer === backer ? [] : [payer];
      return {
        ours: events.subscribed(id, units(amount), units(raised), backer, payer),
        theirs: logOf("Deposited", id, backer, ...by, amount),
      };
    },
    returned(reason: number, amount: bigint): Told {
      if (reason === 0) raised -= amount;
      refunded += amount;
      return {
        ours: events.refunded(id, reason, units(amount), units(refunded)),
        theirs: logOf("Returned", id, BACKER, reason, amount),
      };
    },
    moved(amount: bigint): Told {
      refunded += amount;
      return {
        ours: [
          events.refunded(id, 0, units(amount), units(refunded)),
          events.subscribed(id, units(amount), units(raised), OTHER_BACKER),
        ],
        theirs: logOf("Moved", id, BACKER, OTHER_BACKER, amount),
      };
    },
    cushion(change: bigint): Told {
      reserve += change;
      const size = change < 0n ? -change : change;
      return {
        ours: events.reserve(id, change < 0n ? 2 : 0, units(size), units(reserve)),
        theirs: logOf("Cushion", id, change),
      };
    },
    closed: (): Told => ({ ours: events.closed(id, units(raised)), theirs: logOf("RaiseClosed", id, false) }),
    lent(due: bigint): Told {
      owed = raised;
      return { ours: events.drawnDown(id, units(raised), due), theirs: logOf("Lent", id, raised, due) };
    },
    paid(principal: bigint, interest: bigint): Told {
      owed -= principal;
      return {
        ours: events.repaid(id, units(principal), units(interest), units(owed)),
        theirs: logOf("PaymentMade", id, principal, interest),
      };
    },
    paidAtOnce(amount: bigint): Told {
      const principal = amount < owed ? amount : owed;
      owed -= principal;
      return {
        ours: events.repaid(id, units(principal), units(amount - principal), units(owed)),
        theirs: logOf("LumpSum", id, amount),
      };
    },
    claimed(amount: bigint): Told {
      claimed += amount;
      return {
        ours: events.claimed(id, units(amount), units(claimed)),
        theirs: logOf("PaidOut", id, BACKER, amount),
      };
    },
    settled: (): Told => ({
      ours: events.settled(id, owed === 0n ? 0 : 2, units(owed)),
      theirs: logOf("Done", id, "settled"),
    }),
    /** what a contract with these views answers now */
    figures: () => ({ raised, returned: refunded, cushion: reserve, owed, paid: claimed }),
    calledOff: (): Told => ({ ours: events.cancelled(id), theirs: logOf("Done", id, "called off") }),
    undone: (): Told => ({ ours: events.voided(id), theirs: logOf("Done", id, "undone") }),
  };
}

/** The answers without addresses of contracts and places of transactions: the same for any contract. */
async function marketOf(service: Service): Promise<unknown> {
  const { listings } = await service.json<{ listings: Record<string, unknown>[] }>("/v1/listings");
  const { originators } = await service.json<{ originators: object[] }>("/v1/originators");
  const text = JSON.stringify({ listings, originators, stats: await service.json("/v1/stats") });
  return JSON.parse(
    text.replaceAll(ours.address, "0xescrow").replaceAll(FOREIGN, "0xescrow"),
    (key, value) => (key === "updatedTx" ? undefined : value),
  );
}

describe("a foreign market", () => {
  let mine: Service;
  let theirs: Service;
  let ordinary: Service;
  let postgres: Postgres;
  let assertAnswer: AssertAnswer;
  const services = () => [mine, theirs, ordinary];
  const [a, b, c, d, e] = [1n, 2n, 3n, 4n, 5n].map(raiseOf) as [Raise, Raise, Raise, Raise, Raise];
  type Raise = ReturnType<typeof raiseOf>;
  const same = async (block: bigint) => {
    await Promise.all(services().map((service) => service.indexed(block)));
    const [expected, ...found] = await Promise.all(services().map(marketOf));
    for (const one of found) expect(one).toEqual(expected);
    return expected as { listings: { status: string; raisedAmount: string }[] };
  };

  beforeAll(async () => {
    const due = 4_100_000_000n;
    await tell(a.opened(), b.opened(), c.opened(), d.opened(), e.opened());
    await tell(a.cushion(50n), a.deposited(400n), a.deposited(60n, OTHER_BACKER, BACKER), b.deposited(20n));
    await tell(
      a.returned(0, 60n),
      a.moved(40n),
      a.closed(),
      c.deposited(500n),
      d.deposited(30n),
      d.calledOff(),
      d.returned(3, 30n),
    );
    await tell(a.lent(due), c.closed(), c.undone(), c.returned(4, 200n));
    await tell(a.paid(100n, 7n), a.claimed(50n));
    await chain.testClient.mine({ blocks: 60 });
    const common = { rpcUrl: chain.rpcUrl };
    const their = {
      ...{ escrows: [`${FOREIGN}@${foreignFrom}`], registry: registryOf({ a: FOREIGN }, 9) },
    };
    const env = { CONTRACTS: FOREIGN_MODULE };
    postgres = await startPostgres();
    mine = await startService({
      ...{
        ...common,
        escrows: [`${ours.address}@${ours.blockNumber}`],
        registry: registryOf({ a: ours.address }, 9),
      },
    });
    theirs = await startService({
      ...{ ...common, ...their },
      env: {
        ...env,
        DATABASE_URL: postgres.connectionString,
        DATABASE_SCHEMA: "theirs",
        PROOF_CALLS: "1000",
      },
    });
    assertAnswer = createAnswerValidator(await theirs.json("/openapi.json"));
    ordinary = await startService({
      ...{ ...common, ...their, isEmbedded: true, env: { ...env, FAST_FORWARD: "false" } },
    });
  });

  it("is the same market in history: in bulk and event by event, on both databases", async () => {
    const { listings } = await same(await chain.publicClient.getBlockNumber());
    expect(listings.map(({ status }) => status).toSorted()).toEqual([
      "cancelled",
      "funding",
      "listed",
      "live",
      "voided",
    ]);
    expect(theirs.log.join("\n")).toContain("Wrote the history");
    expect(ordinary.log.join("\n")).not.toContain("Wrote the history");
  });

  it("is the same market live", async () => {
    const { listings } = await same(
      await tell(a.paidAtOnce(350n), a.settled(), b.deposited(80n), e.deposited(5n), b.moved(6n)),
    );
    expect(listings.map(({ status }) => status)).toContain("matured");
  });

  describe("in an audit", () => {
    const DOLLAR: Hex = `0x${"d0".repeat(20)}`;
    const viewOf = (name: string, id: bigint) =>
      encodeFunctionData({ abi: parseAbi([`function ${name}(uint256)`]) as Abi, args: [id] });
    const balance = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [FOREIGN] });
    const decimals = encodeFunctionData({ abi: erc20Abi, functionName: "decimals" });
    /** The escrow's dollars: the reserve, the payments of a less the claims, and the money of b, c, d and e that was not returned. */
    const held = 50n + (107n + 350n - 50n) + 100n + 300n + 0n + 5n;
    /** Audits the tables of the service, on the chain as it is now. */
    const auditNow = async () => {
      const { database, end } = await connectTables(postgres.connectionString, "theirs");
      try {
        return await audit({
          readState: () => readIndexedState(database, tables),
          client: createPublicClient({ transport: http(chain.rpcUrl) }),
          contracts: contractsOf(
            readSettings({ ...SETTINGS, RPC_URLS: chain.rpcUrl, ESCROWS: `${FOREIGN}@1` }),
          ),
          escrows: [FOREIGN],
          followsHolders: () => false,
          wait: async () => {},
        });
      } finally {
        await end();
      }
    };
    beforeAll(async () => {
      await chain.testClient.setCode({ address: DOLLAR, bytecode: EMITTER });
      await answer(chain, FOREIGN, toFunctionSelector("currency()"), BigInt(DOLLAR));
      await answer(chain, DOLLAR, balance, held);
      await answer(chain, DOLLAR, decimals, 6n);
      for (const [id, raise] of [a, b, c, d, e].entries()) {
        for (const [name, figure] of Object.entries(raise.figures()))
          await answer(chain, FOREIGN, viewOf(name, BigInt(id + 1)), figure);
      }
      await chain.testClient.mine({ blocks: 1 });
      await theirs.indexed(await chain.publicClient.getBlockNumber());
    });

    it("agrees with the views of its contract, and with the dollars there", async () => {
      const result = await auditNow();
      expect(result).toMatchObject({
        ...{ status: "ok", problem: null, findings: [], notAuditable: [], surpluses: [] },
      });
      // Five views of five raises, and the dollars.
      expect(result.checks).toBeGreaterThan(26);
    });

    it("finds a view that says something else, in base units", async () => {
      await answer(chain, FOREIGN, viewOf("raised", 2n), 101n);
      const { findings } = await auditNow();
      await answer(chain, FOREIGN, viewOf("raised", 2n), 100n);
      const figures = { expected: `${101n * SCALE}`, found: `${100n * SCALE}` };
      expect(findings).toMatchObject([{ check: "views", onchainId: "2", field: "raisedAmount", ...figures }]);
    });

    it("finds a dollar with other decimals than the module's", async () => {
      await answer(chain, DOLLAR, decimals, 18n);
      const { findings } = await auditNow();
      await answer(chain, DOLLAR, decimals, 6n);
      const figures = { field: "dollar.decimals()", expected: "18", found: "6" };
      expect(findings).toMatchObject([{ check: "balance", escrowAddress: FOREIGN, ...figures }]);
    });

    it("finds dollars that are missing, and tells of those beyond", async () => {
      await answer(chain, DOLLAR, balance, held - 1n);
      const { findings } = await auditNow();
      await answer(chain, DOLLAR, balance, held + 2n);
      const { status, surpluses } = await auditNow();
      const figures = { expected: `${held * SCALE}`, found: `${(held - 1n) * SCALE}` };
      expect(findings).toMatchObject([{ check: "balance", onchainId: null, ...figures }]);
      expect([status, surpluses]).toEqual(["ok", [{ escrowAddress: FOREIGN, amount: `${2n * SCALE}` }]]);
    });
  });

  it("is the same market after a reorganisation", async () => {
    const before = await chain.publicClient.getBlockNumber();
    await tell(b.deposited(1_000n));
    await tell(e.calledOff());
    await same(before + 2n);
    await chain.testClient.request({ method: "anvil_reorg", params: [2, []] } as never);
    const anew = raiseOf(6n);
    await tell(anew.opened(), anew.deposited(3n));
    await chain.testClient.mine({ blocks: 3 });
    const { listings } = await same(await chain.publicClient.getBlockNumber());
    expect(listings).toHaveLength(6);
  });

  it("tells apart the events of one log, page by page, and by their names", async () => {
    type Shown = { kind: string; blockNumber: string; logIndex: number; part?: number };
    type Page = { events: Shown[]; page: { nextCursor: string | null } };
    for (const service of [theirs, ordinary]) {
      const { events: all } = await service.json<Page>("/v1/events?limit=200");
      const one: Shown[] = [];
      for (let next: string | null = ""; next !== null; ) {
        const { events: shown, page }: Page = await service.json(`/v1/events?limit=1${next}`);
        one.push(...shown);
        next = page.nextCursor && `&cursor=${page.nextCursor}`;
      }
      expect(one).toEqual(all);
      const later = all.filter(({ part }) => part !== undefined);
      expect(later.map(({ kind, part }) => [kind, part])).toEqual([
        ["subscribed", 1],
        ["subscribed", 1],
      ]);
      for (const { blockNumber, logIndex } of later) {
        const ofLog = all.filter((event) => event.blockNumber === blockNumber && event.logIndex === logIndex);
        expect(ofLog.map(({ kind }) => kind)).toEqual(["subscribed", "refunded"]);
      }
      const [first] = later.toReversed();
      const name = `${first?.blockNumber}-${first?.logIndex}`;
      const kinds = await Promise.all(
        [name, `${name}.1`, `${name}.2`].map(async (id) => {
          const { status, text } = await service.get(`/v1/events/${id}/proof`);
          return [status, JSON.parse(text).event?.kind];
        }),
      );
      expect(kinds).toEqual([
        [200, "refunded"],
        [200, "subscribed"],
        [404, undefined],
      ]);
    }
  });

  it("answers null for what its contracts do not tell, and serves the rest", async () => {
    const { events: shown } = await theirs.json<{ events: Record<string, unknown>[] }>(
      "/v1/events?limit=200",
    );
    const of = (kind: string) => shown.find((event) => event.kind === kind);
    expect(of("subscribed")).toMatchObject({ amount: `${3n * SCALE}`, totalRaised: null });
    expect(shown.find(({ paidAmount }) => paidAmount !== undefined)).toMatchObject({
      ...{ kind: "repaid", principal: null, interest: null, paidAmount: `${350n * SCALE}` },
    });
    expect(of("listing_settled")).toMatchObject({ outcome: null, writtenOffPrincipal: null });
    const page = await theirs.get("/md/listings/lst_a_1");
    expect([page.status, page.text.match(/undefined|null|NaN/g)]).toEqual([200, null]);
  });

  it("proves its events and totals, by its own ABI", async () => {
    const { events: shown } = await theirs.json<{ events: { blockNumber: string; logIndex: number }[] }>(
      "/v1/events?limit=200",
    );
    const oldest = shown.at(-1);
    const proofOf = (event: string) => theirs.json<EventProof>(`/v1/events/${event}/proof`);
    const options = { rpc: chain.rpcUrl, proofOf };
    const event = await verify(await proofOf(`${oldest?.blockNumber}-${oldest?.logIndex}`), options);
    expect(event.sentence).toMatch(/^Proven: the contract 0xf0.* emitted RaiseOpened\(raiseId 1, owner /);
    const path = "/v1/listings/lst_a_1/proof";
    assertAnswer(path, await theirs.get(path));
    const listing = await theirs.json<ListingProof>(path);
    const { listings } = await mine.json<{ listings: Record<string, string>[] }>("/v1/listings");
    const served = listings.find(({ publicId }) => publicId === "lst_a_1") ?? {};
    const { raisedAmount, refundedAmount } = listing.totals;
    expect([raisedAmount.value, refundedAmount.value]).toEqual([served.raisedAmount, served.refundedAmount]);
    const verdict = await verify(listing, options);
    expect(verdict.checks.filter(({ holds }) => !holds)).toEqual([]);
    expect(verdict.sentence).toMatch(/^Proven up to block \d+: committed .* of listing 1 /);
  });

  it("keeps a log that its module fails on, says so, and goes on", async () => {
    await send(chain, FOREIGN, logOf("Done", 2n, "eaten by a whale"), logOf("Done", LOST_RAISE, "repaid"));
    const block = await tell(b.deposited(7n));
    await Promise.all([theirs, ordinary].map((service) => service.indexed(block)));
    for (const service of [theirs, ordinary]) {
      const { events: shown } = await service.json<{ events: object[] }>("/v1/events?kind=unmapped");
      expect(shown).toMatchObject([{ kind: "unmapped", publicId: "lst_a_2", logName: "Done" }]);
      expect(await service.json("/v1/anomalies?kind=unmapped_event")).toMatchObject({
        anomalies: [
          { kind: "unmapped_event", publicId: null, onchainId: `${2n ** 256n}` },
          { kind: "unmapped_event", publicId: "lst_a_2" },
        ],
      });
      const said = service.log.filter((line) => line.includes("could not be mapped"));
      expect(said.join()).toMatch(/eaten by a whale.*raise that is lost/s);
      expect(said).toHaveLength(2);
    }
  });

  it("goes on with the module that it was started with when its file is edited", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "module.mjs");
    const write = (more: string) =>
      writeFile(
        path,
        `import theirs from ${JSON.stringify(FOREIGN_MODULE)};\nexport default { ...theirs, escrow: { ...theirs.escrow${more} } };\n`,
      );
    await write("");
    const start = () =>
      startService({
        ...{ rpcUrl: chain.rpcUrl, escrows: [`${FOREIGN}@${foreignFrom}`] },
        registry: registryOf({ a: FOREIGN }, 9),
        env: { CONTRACTS: path, DATABASE_URL: postgres.connectionString },
      });
    let service = await start();
    await service.indexed(await chain.publicClient.getBlockNumber());
    await service.kill();
    await write(", decimals: 12");
    service = await start();
    try {
      const block = await tell(b.deposited(9n));
      await Promise.all([theirs, service].map((one) => one.indexed(block)));
      expect(await marketOf(service)).toEqual(await marketOf(theirs));
    } finally {
      await service.stop();
    }
  });
});
