import { expect, test } from "vitest";
import { isRoutine } from "./routine-lines.ts";

// Recorded from the indexer at the head; with events, other levels and colours changed by hand.
const JSON_BLOCK = `{"level":30,"time":1795330891106,"msg":"Indexed block","chain":"escrowChain","chain_id":97,"number":43,"event_count":0,"duration":14.168397000001278}`;
const JSON_ERROR = `{"level":40,"time":1795330900997,"msg":"Postgres client error","error":{"message":"Connection terminated unexpectedly \\"msg\\":\\"Indexed block\\""}}`;
const PRETTY_BLOCK = "07:07:52.852 INFO  Indexed block chain=escrowChain number=78 event_count=0 (28ms)";
const PRETTY_FINAL = "07:08:04.597 INFO  Finalized block chain=escrowChain number=74 (27ms)";

test.each([
  [true, "json", JSON_BLOCK],
  [true, "json", JSON_BLOCK.replace("Indexed block", "Finalized block").replace(`"event_count":0,`, "")],
  [false, "json", JSON_BLOCK.replace(`"event_count":0`, `"event_count":10`)],
  [false, "json", JSON_BLOCK.replace(`"level":30`, `"level":40`)],
  [false, "json", JSON_BLOCK.replace("Indexed block", "Reorged block")],
  [false, "json", JSON_BLOCK.replace("Indexed block", "Indexed block range")],
  [false, "json", JSON_BLOCK.slice(0, -1)],
  [false, "json", JSON_ERROR],
  [false, "json", PRETTY_BLOCK],
  [true, "pretty", PRETTY_BLOCK],
  [true, "pretty", PRETTY_FINAL],
  [true, "pretty", `\u001b[2m07:07:52.852\u001b[22m \u001b[32mINFO \u001b[39m ${PRETTY_BLOCK.slice(19)}`],
  [false, "pretty", PRETTY_BLOCK.replace("event_count=0", "event_count=10")],
  [false, "pretty", PRETTY_BLOCK.replace("INFO ", "WARN ")],
  [false, "pretty", PRETTY_BLOCK.replace("Indexed block", "Failed to index block")],
  [false, "pretty", "07:07:52.852 INFO  Started live indexing chain=escrowChain finalized_block=12"],
  [false, "pretty", "    at Connection.<anonymous> Indexed block event_count=0"],
] as const)("%s, %s: %s", (expected, format, line) => {
  expect(isRoutine(line, format)).toBe(expected);
});
