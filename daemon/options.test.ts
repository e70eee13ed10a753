import { expect, it } from "vitest";
import { OptionError, readOptions } from "./options.ts";

const ALL = ["check", "help", "processes"] as const;

it.each([
  [[], { check: false, help: false, processes: null }],
  [["--check"], { check: true, help: false, processes: null }],
  [["--processes", "4"], { check: false, help: false, processes: 4 }],
  [["--processes=1", "--help"], { check: false, help: true, processes: 1 }],
])("%j is read", (args, expected) => expect(readOptions(args, ALL)).toEqual(expected));

it.each([
  [["--verbose"], 'Unknown option "--verbose".'],
  [["start"], 'Unknown option "start".'],
  [["--processes"], "--processes must be a whole number from 1 to 64."],
  [["--processes", "0"], "--processes must be a whole number from 1 to 64."],
  [["--processes", "1.5"], "--processes must be a whole number from 1 to 64."],
  [["--processes=65"], "--processes must be a whole number from 1 to 64."],
])("%j is refused", (args, message) => {
  expect(() => readOptions(args, ALL)).toThrow(new OptionError(message));
});

it("knows the options of each command", () => {
  expect(() => readOptions(["--check"], ["help", "processes"])).toThrow(OptionError);
});
