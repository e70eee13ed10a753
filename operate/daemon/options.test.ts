import { expect, it } from "vitest";
import { VARIABLE_NAMES, VARIABLES } from "../../config/variables.ts";
import { helpOf, throwing } from "../../test/harness/command.ts";
import { pruneCommand, serveCommand, startCommand } from "./options.ts";

const read = (args: readonly string[]) => throwing(startCommand()).parse(args, { from: "user" }).opts();

it.each([
  [[], {}],
  [["--check"], { check: true }],
  [["--processes", "4"], { processes: 4 }],
  [["--processes=1", "--check"], { check: true, processes: 1 }],
])("%j is read", (args, expected) => expect(read(args)).toEqual(expected));

it.each([
  [["--verbose"], "unknown option '--verbose'"],
  [["--chekc"], "(Did you mean --check?)"],
  [["now"], "too many arguments"],
  [["--processes"], "argument missing"],
  [["--processes", "0"], "argument '0' is invalid. It must be a whole number from 1 to 64."],
  [["--processes", "1.5"], "argument '1.5' is invalid. It must be a whole number from 1 to 64."],
  [["--processes=65"], "argument '65' is invalid. It must be a whole number from 1 to 64."],
])("%j is refused", (args, message) => {
  expect(() => read(args)).toThrow(message);
});

it("knows the options of each command", () => {
  expect(() => throwing(serveCommand()).parse(["--check"], { from: "user" })).toThrow("unknown option");
  expect(throwing(pruneCommand()).parse(["--start-over"], { from: "user" }).opts()).toEqual({
    startOver: true,
  });
});

it("the help lists every variable with its default, and fits a terminal", () => {
  const help = helpOf(startCommand());
  for (const name of VARIABLE_NAMES) {
    expect(help).toMatch(new RegExp(`^  ${name} `, "m"));
    expect(help).toContain(`default: ${VARIABLES[name].fallback}\n`);
  }
  for (const text of [help, helpOf(serveCommand()), helpOf(pruneCommand())])
    for (const line of text.split("\n")) expect(line.length, line).toBeLessThanOrEqual(120);
});
