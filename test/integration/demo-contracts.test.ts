/**
 * The worked examples as the demo plays them: contracts that are not the project's own, followed through their modules. What is shown is
 * what the contracts themselves say, at the same block.
 */
import { type Address, createPublicClient, http, type PublicClient } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRaisebookClient, type Listing, type RaisebookClient } from "../../client/index.ts";
import { raiseEscrowAbi } from "../../contracts/artifacts/RaiseEscrow.ts";
import { tranchedPoolsAbi } from "../../contracts/artifacts/TranchedPools.ts";
import type { ExampleName } from "../../operate/cli/demo-options.ts";
import { type DemoProcess, startDemo } from "../harness/demo.ts";
import { freePort } from "../harness/free-port.ts";
import { PATIENCE } from "../harness/patience.ts";

type Shown = Pick<
  Listing,
  "status" | "targetAmount" | "minRaise" | "raisedAmount" | "outstandingPrincipal" | "repaidAmount"
>;
/** Null: there is no contract at that block. */
type ReadView = (address: Address, onchainId: bigint, blockNumber: bigint) => Promise<Shown | null>;

const SIX_TO_EIGHTEEN = 10n ** 12n;

/** A tranche, by the stage in which its contract is. */
function readTranche(client: PublicClient): ReadView {
  return async (address, onchainId, blockNumber) => {
    const contract = { address, abi: tranchedPoolsAbi, blockNumber } as const;
    const tranche = await client.readContract({ ...contract, functionName: "tranches", args: [onchainId] });
    const [, , , target, minimum, deposited, owed, received, , , , stage] = tranche;
    const isEmpty = deposited === 0n;
    const statuses = [
      "",
      isEmpty ? "listed" : "funding",
      "live",
      "refunding",
      "cancelled",
      "voided",
      "live",
      "matured",
    ];
    const scaled = (amount: bigint) => (amount * SIX_TO_EIGHTEEN).toString();
    return {
      status: statuses[stage] as Shown["status"],
      targetAmount: scaled(target),
      minRaise: scaled(minimum),
      raisedAmount: scaled(deposited),
      outstandingPrincipal: scaled(owed),
      repaidAmount: scaled(received),
    };
  };
}

/** A raise with an escrow of its own, which has drawn what it raised once it is closed. */
function readEscrow(client: PublicClient): ReadView {
  return async (address, _, blockNumber) => {
    if ((await client.getCode({ address, blockNumber })) === undefined) return null;
    const view = (functionName: "raised" | "goal" | "minimum" | "repaid") =>
      client.readContract({ address, abi: raiseEscrowAbi, functionName, blockNumber });
    const [raised, goal, minimum, repaid] = await Promise.all([
      ...([view("raised"), view("goal"), view("minimum"), view("repaid")] as const),
    ]);
    const isClosed = await client.readContract({
      ...{ address, abi: raiseEscrowAbi, functionName: "isClosed", blockNumber },
    });
    const ended = raised < minimum ? "refunding" : repaid < raised ? "live" : "matured";
    return {
      status: isClosed ? ended : raised === 0n ? "listed" : "funding",
      targetAmount: `${goal}`,
      minRaise: `${minimum}`,
      raisedAmount: `${raised}`,
      outstandingPrincipal: `${isClosed && raised >= minimum && repaid < raised ? raised - repaid : 0n}`,
      repaidAmount: `${repaid}`,
    };
  };
}

const EXAMPLES: readonly {
  name: ExampleName;
  module: string;
  readView: (client: PublicClient) => ReadView;
  statuses: readonly Listing["status"][];
  termsFrom: Listing["termsFrom"];
}[] = [
  {
    name: "pooled-loans",
    module: "Pooled loans",
    readView: readTranche,
    statuses: ["listed", "funding", "live", "matured", "refunding", "cancelled"],
    termsFrom: "chain",
  },
  {
    name: "raise-escrows",
    module: "Raise escrows",
    readView: readEscrow,
    statuses: ["funding", "live", "matured", "refunding"],
    termsFrom: "registry",
  },
];

describe.each(EXAMPLES)(
  "the demo on contracts of $name",
  ({ name, module, readView, statuses, termsFrom }) => {
    let demo: DemoProcess;
    let book: RaisebookClient;
    let url: string;
    let read: ReadView;

    beforeAll(async () => {
      const [port, rpcPort, appPort] = [await freePort(), await freePort(), await freePort()];
      url = `http://127.0.0.1:${port}`;
      book = createRaisebookClient({ baseUrl: `${url}/v1`, userAgent: "raisebook-tests" });
      read = readView(createPublicClient({ transport: http(`http://127.0.0.1:${rpcPort}`) }));
      const ports = ["--port", port, "--rpc-port", rpcPort, "--app-port", appPort].map(String);
      demo = startDemo("--contracts", name, "--seed", "7", ...ports);
      await demo.says("Ctrl-C ends everything");
    });
    afterAll(() => {
      demo.process.kill("SIGKILL");
    });

    /** The board is of one block, at which each contract is asked. */
    async function expectAsTheContracts(): Promise<readonly Listing[]> {
      const answer = await fetch(`${url}/v1/listings?limit=100`);
      const block = BigInt(answer.headers.get("X-Indexed-Block") ?? "");
      const { listings } = (await answer.json()) as { listings: Listing[] };
      for (const listing of listings) {
        const { status, targetAmount, minRaise, raisedAmount, outstandingPrincipal, repaidAmount } = listing;
        const shown = { status, targetAmount, minRaise, raisedAmount, outstandingPrincipal, repaidAmount };
        const { escrowAddress, onchainId, publicId } = listing;
        const said = await read(escrowAddress as Address, BigInt(onchainId), block);
        // The registry may name a raise before the block of its escrow is indexed.
        const wanted = said ?? { ...shown, status: "listed", raisedAmount: "0", repaidAmount: "0" };
        expect(shown, publicId).toEqual(wanted);
      }
      return listings;
    }

    test("shows its raises as the contracts have them, without an anomaly", async () => {
      const listings = await expectAsTheContracts();
      expect(listings.length).toBeGreaterThan(10);
      expect(listings.map(({ status }) => status)).toEqual(expect.arrayContaining([...statuses]));
      expect(new Set(listings.map((listing) => listing.termsFrom))).toEqual(new Set([termsFrom]));
      const health = await book.get("/health");
      expect(health).toMatchObject({
        status: "ok",
        unprojectable: 0,
        anomalies: { total: 0 },
      });
      expect(health.contracts.name).toBe(module);
      expect(demo.said()).toContain(`Contracts     demo/contracts/${name}/contracts.mjs`);
    });

    test("it goes on with new raises and payments", async () => {
      const before = await expectAsTheContracts();
      await demo.says("a new raise");
      await demo.says("subscribes");
      await expect
        .poll(async () => (await book.get("/listings")).listings.length, PATIENCE)
        .toBeGreaterThan(before.length);
      await expectAsTheContracts();
      expect((await book.get("/health")).anomalies.total).toBe(0);
    });

    test("Ctrl-C ends it with exit code 0", async () => {
      demo.process.kill("SIGINT");
      expect(await demo.exited).toBe(0);
      expect(demo.said()).not.toContain("The demo failed");
    });
  },
);
