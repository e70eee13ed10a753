import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Abi, parseAbi } from "viem";
import { expect, it } from "vitest";
import { listingEscrowAbi } from "../../../abis/ListingEscrow.ts";
import { readContractsFile } from "../../../config/contracts-file.ts";
import { contractsOf } from "../../../src/contracts/contracts.ts";
import { temporaryFolder } from "../../../test/harness/ending.ts";
import { starterModule } from "./starter.ts";

/** The module as it is loaded. */
function loaded(text: string) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "contracts.mjs"), text);
  return contractsOf({ contracts: readContractsFile(join(folder, "contracts.mjs")) });
}

const ABI = parseAbi([
  "event Deposited(uint256 indexed raiseId, address indexed investor, uint256 amount)",
  "event Deposited(uint256 indexed raiseId, address indexed investor, (uint256 shares, uint256 price) terms, uint256 assets)",
  "event PaymentMade(uint256 indexed raiseId, uint256 principal, uint256 interest)",
  "event RefundClaimed(uint256 indexed raiseId, address to, uint256 amount)",
  "event RaiseOpened(uint256 indexed raiseId, address owner)",
  "event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)",
  "function raised(uint256) view returns (uint256)",
]);

it("suggests what names say, and comments on the rest", () => {
  const text = starterModule(ABI);
  for (const line of [
    "onchainId: ({ args }) => args.raiseId,",
    '"Deposited(uint256,address,uint256)": ({ args }) => ({ kind: "subscribed", backer: args.investor, amount: args.amount }),',
    'PaymentMade: ({ args }) => ({ kind: "repaid", principal: args.principal, interest: args.interest }),',
    'RefundClaimed: ({ args }) => ({ kind: "refunded", backer: args.to, amount: args.amount }),',
    'RaiseOpened: ({ args }) => ({ kind: "listing_created", originator: args.owner }),',
    "// OwnershipTransferred: not followed. Add a handler if it changes a raise.",
  ])
    expect(text).toContain(`\n      ${line}`.replace("\n      onchainId", "\n    onchainId"));
});

it.each<[string, Abi]>([
  ["another market's", ABI],
  ["the project's", listingEscrowAbi],
  ["a contract for each raise", parseAbi(["event Funded(address indexed backer, uint256 value)"])],
])("is a module that can be used: %s", (_, abi) => {
  const { escrow } = loaded(starterModule(abi));
  expect(escrow.events.length).toBeGreaterThan(0);
});

it("says that it recognises no id", () => {
  const text = starterModule(
    parseAbi(["event Funded(address indexed backer, bytes32 campaign, uint256 value)"]),
  );
  expect(text).toContain(
    "// The raise that a log is about. No id was recognised: name it, or keep 1n if each raise has its own escrow.\n    onchainId: () => 1n,",
  );
});

it("counts raises by the id that most events have, and needs an amount for a payment", () => {
  const text = starterModule(
    parseAbi([
      "event TrancheOpened(uint256 indexed poolId, uint256 indexed trancheId, address indexed borrower)",
      "event TrancheLocked(uint256 indexed trancheId)",
      "event TrancheRepaid(uint256 indexed trancheId)",
    ]),
  );
  expect(text).toContain("onchainId: ({ args }) => args.trancheId,");
  expect(text).toContain('TrancheLocked: () => ({ kind: "listing_closed" }),');
  expect(text).toContain("// TrancheRepaid: not followed.");
});

it("makes a number of an id that is hex, and leaves an event with nameless parameters to be read by their places", () => {
  const text = starterModule(
    parseAbi([
      "event Deposited(bytes32 indexed loanId, address indexed investor, uint256 amount)",
      "event Repaid(bytes32 indexed loanId, uint256)",
    ]),
  );
  expect(text).toContain("onchainId: ({ args }) => BigInt(args.loanId),");
  expect(text).toContain(
    "// Repaid: not followed, as a parameter has no name: args is a list then (args[0], args[1], …).",
  );
  expect(loaded(text).escrow.events.map(({ ponderName }) => ponderName)).toEqual(["Deposited"]);
});

it("writes an event as JSON whose names cannot be written as in Solidity", () => {
  const uint256 = { type: "uint256", internalType: "uint256" };
  const inputs = [
    { name: "loanId", indexed: true, ...uint256 },
    { name: "reference", indexed: false, type: "string" },
    { name: "final", indexed: false, type: "bool" },
    { name: "amount", indexed: false, ...uint256 },
  ];
  const text = starterModule([
    { type: "event", name: "Deposited", inputs },
    ...parseAbi(["event Repaid(uint256 indexed loanId, uint256 amount)"]),
  ]);
  const { events } = loaded(text).escrow;
  expect(events.map(({ abiItem }) => abiItem.inputs.map(({ name }) => name))).toEqual([
    ["loanId", "reference", "final", "amount"],
    ["loanId", "amount"],
  ]);
  expect(text).toContain('\n      "event Repaid(uint256 indexed loanId, uint256 amount)",');
});

it("knows the words of crowdfunding, and needs an amount for a subscription and a refund", () => {
  const text = starterModule(
    parseAbi([
      "event Donated(uint256 indexed _campaignId, address indexed donor, uint256 amount)",
      "event TokensPurchased(uint256 indexed _campaignId, address purchaser, address beneficiary, uint256 value)",
      "event Withdrawn(uint256 indexed _campaignId, address payee, uint256 amount)",
      "event RefundsEnabled(uint256 indexed _campaignId)",
      "event Refunded(uint256 indexed _campaignId, address[] payees, uint256[] amounts)",
    ]),
  );
  for (const line of [
    "onchainId: ({ args }) => args._campaignId,",
    'Donated: ({ args }) => ({ kind: "subscribed", backer: args.donor, amount: args.amount }),',
    'TokensPurchased: ({ args }) => ({ kind: "subscribed", backer: args.purchaser, amount: args.value }),',
    'Withdrawn: ({ args }) => ({ kind: "refunded", backer: args.payee, amount: args.amount }),',
    "// RefundsEnabled: not followed.",
    "// Refunded: not followed.",
  ])
    expect(text).toContain(line);
});

it("refuses an ABI without events", () => {
  expect(() => starterModule(parseAbi(["function f()"]))).toThrow("it has no events");
});
