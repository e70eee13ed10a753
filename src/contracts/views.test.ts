import { describe, expect, it } from "vitest";
import { type Contracts, compileModule } from "./compile.ts";
import { contractsOf } from "./contracts.ts";

function compiled(escrow: object): { rules: Contracts["escrow"]; problems: string[] } {
  const problems: string[] = [];
  const { escrow: rules } = compileModule(
    { name: "Ours", escrow: { abi: [], events: {}, ...escrow } },
    problems,
  );
  return { rules, problems };
}
const raised = "function raised(uint256) view returns (uint256)";

describe("the views of a module", () => {
  it("are called with the raise's id, with nothing, or with what the module says", () => {
    const { rules, problems } = compiled({
      views: {
        raisedAmount: { function: raised },
        refundedAmount: { function: "function refunded() view returns (uint128)", optional: true },
        reserveBalance: {
          function: "function pot(address, uint64) view returns (uint256)",
          args: (id: bigint) => [`0x${"a1".repeat(20)}`, id],
        },
        requiredBalance: {
          function: {
            ...{ type: "function", name: "dues", stateMutability: "view", inputs: [] },
            outputs: [{ name: "", type: "uint256" }],
          },
        },
      },
    });
    expect(problems).toEqual([]);
    const { raisedAmount, refundedAmount, reserveBalance, requiredBalance } = rules.views;
    expect(raisedAmount).toMatchObject({ item: { name: "raised" }, isOptional: false });
    expect(
      [raisedAmount, refundedAmount, reserveBalance, requiredBalance].map((view) => view?.argsFor(7n)),
    ).toEqual([[7n], [], [`0x${"a1".repeat(20)}`, 7n], []]);
    expect(refundedAmount?.isOptional).toBe(true);
  });

  it.each<[string, object, string | RegExp]>([
    [
      "an unknown figure",
      { raised: { function: raised } },
      /^escrow\.views\.raised: unknown; there are raisedAmount, /,
    ],
    ["no object", { raisedAmount: raised }, /^escrow\.views\.raisedAmount: expected an object/],
    [
      "no function",
      { raisedAmount: {} },
      "escrow.views.raisedAmount.function: expected a function, as in Solidity or as an ABI item",
    ],
    [
      "what does not parse",
      { raisedAmount: { function: "function raised(" } },
      /^escrow\.views\.raisedAmount\.function: is no ABI item: /,
    ],
    [
      "an event",
      { raisedAmount: { function: "event Raised(uint256)" } },
      "escrow.views.raisedAmount.function: expected a function",
    ],
    [
      "a function that writes",
      { raisedAmount: { function: "function raised(uint256) returns (uint256)" } },
      "escrow.views.raisedAmount.function: raised is no view",
    ],
    [
      "two results",
      { raisedAmount: { function: "function raised(uint256) view returns (uint256, uint256)" } },
      "escrow.views.raisedAmount.function: raised must return one whole number",
    ],
    [
      "a text",
      { raisedAmount: { function: "function raised(uint256) view returns (string)" } },
      "escrow.views.raisedAmount.function: raised must return one whole number",
    ],
    [
      "arguments that are no function",
      { raisedAmount: { function: raised, args: [1n] } },
      "escrow.views.raisedAmount.args: expected a function of the raise's id",
    ],
    [
      "too few arguments",
      { raisedAmount: { function: raised, args: () => [] } },
      /^escrow\.views\.raisedAmount\.args: are not those of raised: /,
    ],
    [
      "arguments that throw",
      { raisedAmount: { function: raised, args: () => JSON.parse("{") } },
      /^escrow\.views\.raisedAmount\.args: are not those of raised: /,
    ],
    [
      "arguments in a promise",
      { raisedAmount: { function: raised, args: async () => JSON.parse("{") } },
      "escrow.views.raisedAmount.args: are not those of raised: a promise: handlers must not be async",
    ],
    [
      "missing arguments",
      { raisedAmount: { function: "function raised(uint256, bool) view returns (uint256)" } },
      "escrow.views.raisedAmount.args: missing; raised has 2 parameters",
    ],
    [
      "an id for the whole escrow",
      { requiredBalance: { function: raised } },
      "escrow.views.requiredBalance.args: missing; raised has 1 parameters",
    ],
    [
      "a misspelt part",
      { raisedAmount: { function: raised, arg: () => [1n] } },
      "escrow.views.raisedAmount.arg: unknown; there are function, args, optional",
    ],
    [
      "no flag",
      { raisedAmount: { function: raised, optional: 1 } },
      "escrow.views.raisedAmount.optional: expected true or false",
    ],
  ])("with %s are refused, with their place", (_, views, problem) => {
    const { problems } = compiled({ views });
    expect(problems).toEqual([typeof problem === "string" ? problem : expect.stringMatching(problem)]);
  });

  it("are all refused at once, with other problems of the module", () => {
    const { problems } = compiled({
      ...{ views: { one: {}, raisedAmount: {} }, dollar: 5, numbered: "yes" },
      token: { event: "None", parameter: "token", claims: 1 },
    });
    expect(problems.map((problem) => problem.split(":")[0])).toEqual([
      ...[
        "escrow.token.event",
        "escrow.token.claims",
        "escrow.views.one",
        "escrow.views.raisedAmount.function",
      ],
      ...["escrow.dollar", "escrow.numbered"],
    ]);
  });

  it("are those of the interface for the project's own contracts", () => {
    const { views, dollar } = contractsOf({ contracts: null }).escrow;
    expect(Object.keys(views)).toHaveLength(6);
    expect(dollar).toMatchObject({ view: { name: "dollar" } });
  });
});

describe("the dollar of a module", () => {
  const address = `0x${"D0".repeat(20)}`;
  it("is an address or a view", () => {
    expect(compiled({ dollar: address }).rules.dollar).toEqual({ address: address.toLowerCase() });
    expect(compiled({ dollar: "function usd() view returns (address)" }).rules.dollar).toMatchObject({
      view: { name: "usd" },
    });
    expect(compiled({}).rules.dollar).toBeNull();
  });

  it.each([
    ["0x12", /^escrow\.dollar: expected an address, or a view of the escrow that returns it$/],
    ["usd", /^escrow\.dollar: is no ABI item: /],
    ["function usd() view returns (uint256)", /^escrow\.dollar: usd must return one address$/],
    ["function usd(uint256) view returns (address)", /^escrow\.dollar: usd must not have parameters$/],
    [7, /^escrow\.dollar: expected a function, as in Solidity or as an ABI item$/],
  ])("is not %s", (dollar, problem) => {
    expect(compiled({ dollar }).problems).toEqual([expect.stringMatching(problem)]);
  });
});
