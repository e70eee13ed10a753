import { expect, it } from "vitest";
import { throwing } from "../../test/harness/command.ts";
import { auditCommand } from "./options.ts";

const read = (args: readonly string[]) => throwing(auditCommand()).parse(args, { from: "user" }).opts();

it.each([
  [[], {}],
  [
    ["--json", "--logs", "--rpc-url", "https://node.example/KEY"],
    { json: true, logs: true, rpcUrl: "https://node.example/KEY" },
  ],
  [["--url=http://127.0.0.1:42069/"], { url: "http://127.0.0.1:42069" }],
])("%j is read", (args, expected) => expect(read(args)).toEqual(expected));

it.each([
  [["--all"], "unknown option '--all'"],
  [["now"], "too many arguments"],
  [["--url"], "option '--url <url>' argument missing"],
  [["--url", "here"], "argument 'here' is invalid. It must be an http or https URL."],
  [["--rpc-url", "ws://node.example"], "argument 'ws://node.example' is invalid. It must be an http"],
  [["--url", "http://127.0.0.1:1", "--logs"], "option '--logs' cannot be used with option '--url <url>'"],
  [
    ["--url", "http://127.0.0.1:1", "--rpc-url", "http://127.0.0.1:2"],
    "option '--rpc-url <url>' cannot be used with option '--url <url>'",
  ],
  [["--json=yes"], "unknown option '--json=yes'"],
])("refuses %j: %s", (args, message) => {
  expect(() => read(args)).toThrow(message);
});
