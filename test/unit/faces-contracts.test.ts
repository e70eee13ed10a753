/** The faces describe a module's contracts, and nothing of the project's own. */
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { readContractsFile } from "../../config/contracts-file.ts";
import { describeContracts } from "../../src/contracts/describe.ts";
import { appIn } from "../harness/app.ts";
import { type Ask, asking } from "../harness/asking.ts";
import { calling } from "../harness/mcp.ts";
import { DAY, DOLLAR, entryDraft, listingRow, NOW, registryOf } from "../harness/rows.ts";
import { snapshotOf, tablesOf } from "../harness/snapshot.ts";

const POOLS = fileURLToPath(new URL("../../demo/contracts/pooled-loans/contracts.mjs", import.meta.url));

let plain: Ask;
let foreign: Ask;
const contracts = describeContracts({ contracts: readContractsFile(POOLS) });
beforeAll(async () => {
  [plain, foreign] = [asking(await appIn()), asking(await appIn({ overrides: { contracts } }))];
});

const bodyOf = async (ask: Ask, path: string) => JSON.parse((await ask(path)).text);
const markdownOf = async (ask: Ask) => (await ask("/developers.md")).text;
const instructionsOf = async (ask: Ask): Promise<string> => {
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "tests", version: "1" },
  };
  const { text } = await ask("/mcp", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  });
  return JSON.parse(text).result.instructions;
};

describe("with a contracts module", () => {
  it("health names it", async () => {
    expect((await bodyOf(foreign, "/v1/health")).contracts).toEqual({
      ...{ name: "Pooled loans", decimals: 6, events: 9 },
    });
  });

  it("the developers' page has each event with its kind", async () => {
    const page = await markdownOf(foreign);
    expect(page).toContain("## Contracts");
    expect(page).toMatch(
      /PaymentApplied\(uint256 indexed trancheId, uint256 interest, uint256 principal\).*repaid/,
    );
    expect(page).toMatch(/TrancheCancelled.*listing_cancelled, listing_voided/);
    expect(page).toContain("6 on the chain");
  });

  it("the description and the tool server name it", async () => {
    const { info } = await bodyOf(foreign, "/openapi.json");
    expect(info.description).toContain(
      "The contracts are those of Pooled loans, whose dollar has 6 decimals on the chain: https://raises.example/developers#contracts",
    );
    expect(await instructionsOf(foreign)).toContain("(chain 97, contracts of Pooled loans)");
  });

  it("the refunds of a failed raise are for its record of the close to give out, on the page and in get_deal", async () => {
    const failed = { closeAt: NOW - 1n, raisedAmount: 10_000n * DOLLAR, firstSubscribedAt: NOW - DAY };
    const snapshot = await snapshotOf(
      tablesOf({ listings: [listingRow(failed)] }),
      registryOf([entryDraft()]),
    );
    const refundsIn = async (overrides: object) => {
      const app = await appIn({ snapshot, overrides });
      const { deal, display } = await calling(app).facts("get_deal", { id: "lst_1" });
      const { refunds } = display as Record<string, string>;
      expect(deal).toMatchObject({ status: "refunding" });
      expect((await asking(app)("/listings/lst_1.md")).text).toContain(refunds);
      return refunds;
    };
    expect(await refundsIn({ contracts })).toBe(
      "Backers can claim 10,000 USD-test once the close of the raise is recorded.",
    );
    expect(await refundsIn({})).toMatch(/^10,000 of 10,000 USD-test is still to be claimed: /);
  });
});

describe("with the project's own contracts", () => {
  it("health names them, and nothing else is said", async () => {
    expect((await bodyOf(plain, "/v1/health")).contracts).toEqual({
      ...{ name: "Raisebook", decimals: 18, events: 15 },
    });
    expect(await markdownOf(plain)).not.toContain("## Contracts");
    expect((await bodyOf(plain, "/openapi.json")).info.description).not.toContain("The contracts are those");
    expect(await instructionsOf(plain)).toContain("(chain 97): no value");
  });
});
