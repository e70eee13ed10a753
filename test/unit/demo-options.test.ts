/** The command line of the demo, and the raises that its living part opens. */
import { expect, test } from "vitest";
import { nextIdea, secondsToNextRaise } from "../../demo/living/ideas.ts";
import { ceilingOf } from "../../demo/living/raises.ts";
import { planMarket } from "../../demo/market/plan.ts";
import { createRandom } from "../../demo/market/random.ts";
import { demoCommand, readOptions } from "../../operate/cli/demo-options.ts";
import { throwing } from "../harness/command.ts";

const read = (...args: readonly string[]) => readOptions(args, throwing(demoCommand()));

test("the defaults apply without options", () => {
  expect(read()).toEqual({ port: 42069, rpcPort: 8545, appPort: 42071, seed: 1, still: false });
});

test("the help names the contracts of the examples", () => {
  expect(demoCommand().helpInformation()).toMatch(/choices: "pooled-loans",\s+"raise-escrows"/);
  expect(read("--contracts", "raise-escrows").contracts).toBe("raise-escrows");
});

test("options are read", () => {
  expect(read("--port", "4000", "--rpc-port=5000", "--app-port", "6000", "--seed", "0", "--still")).toEqual({
    port: 4000,
    rpcPort: 5000,
    appPort: 6000,
    seed: 0,
    still: true,
  });
});

test.each([
  [["--port", "0"], "argument '0' is invalid. It must be a whole number from 1 to 65535."],
  [["--port", "65536"], "argument '65536' is invalid. It must be a whole number from 1 to 65535."],
  [["--rpc-port", "8e3"], "argument '8e3' is invalid. It must be a whole number from 1 to 65535."],
  [["--seed", "-1"], /--seed/],
  [
    ["--seed=4294967296"],
    "argument '4294967296' is invalid. It must be a whole number from 0 to 4294967295.",
  ],
  [
    ["--port", "5000", "--rpc-port", "5000"],
    "--port, the operator's port next to it, --rpc-port and --app-port must differ; they are 5000, 5001, 5000, 42071",
  ],
  [["--app-port", "8545"], "must differ; they are 42069, 42070, 8545, 8545"],
  [
    ["--contracts", "harbor"],
    "argument 'harbor' is invalid. Allowed choices are pooled-loans, raise-escrows.",
  ],
  [["--prot", "5000"], "unknown option '--prot'"],
  [["--still=yes"], /--still/],
  [["--port"], /--port/],
  [["5000"], /5000/],
])("%j is refused with a sentence", (args, message) => {
  expect(() => read(...args)).toThrow(message);
});

test("new raises keep what the escrow asks for, for ever", () => {
  const random = createRandom(1, "ideas");
  const fates = new Set<string>();
  const modes = new Set<string>();
  const titles = new Set<string>();
  for (let ordinal = 0; ordinal < 3_000; ordinal++) {
    const { terms, title, description, fate } = nextIdea(ordinal, 1_790_000_000, random);
    expect(terms.minRaise > 0n && terms.minRaise <= terms.targetAmount).toBe(true);
    expect(terms.closeAt).toBeGreaterThan(terms.goLiveAt + 2 * 3_600);
    expect(terms.closeAt).toBeLessThan(terms.goLiveAt + 86_400);
    expect(title.length <= 200 && description.length > 0).toBe(true);
    expect(ceilingOf(terms, "miss") < terms.minRaise).toBe(true);
    const waiting = ceilingOf(terms, "wait");
    expect(waiting > terms.minRaise && waiting < terms.targetAmount).toBe(true);
    fates.add(fate);
    modes.add(terms.pricingMode);
    titles.add(title);
  }
  expect(fates).toEqual(new Set(["succeed", "wait", "miss", "cancel", "void"]));
  expect(modes).toEqual(new Set(["fixed", "auction"]));
  expect(titles.size).toBe(3_000);
});

test("the titles of a day are all different, and none of them needs a number to be", () => {
  const random = createRandom(1, "ideas");
  const titles: string[] = [];
  for (let time = secondsToNextRaise(0); time < 86_400; time += secondsToNextRaise(titles.length)) {
    titles.push(nextIdea(titles.length, 1_790_000_000 + time, random).title);
  }
  // Often enough for a person who watches to see new ones.
  expect(titles.length).toBeGreaterThan(500);
  expect(titles.filter((title) => /, lot \d+$/.test(title))).toEqual([]);
  const played = planMarket({ seed: 1, end: 1_790_000_000 }).raises.map(({ story }) => story.title);
  expect(new Set([...titles, ...played]).size).toBe(titles.length + played.length);
});

test("a raise that must stay open never fills", () => {
  const { terms } = nextIdea(0, 1_790_000_000, createRandom(1, "ideas"));
  expect(ceilingOf(terms, "succeed", "untouched")).toBe(0n);
  expect(ceilingOf(terms, "succeed", "unfilled") < terms.targetAmount).toBe(true);
});
