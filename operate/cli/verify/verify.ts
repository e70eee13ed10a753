/** @module Verifies a service's answers: `raisebook verify`. */
import { createRaisebookClient, patiently, RaisebookProblem } from "../../../client/index.ts";
import { type EventProof, proofAddressOf, type Verdict, verify } from "../../../client/verify.ts";
import { print } from "../../../config/command.ts";
import { stripControl } from "../../../config/format/untrusted-text.ts";
import { verifyCommand } from "../options.ts";

const command = verifyCommand().parse();
const refuse: (message: string) => never = (message) => command.error(`error: ${message}`);
const [url] = command.processedArgs;
const { rpc, abi, complete = false, json } = command.opts();
const { baseUrl, path, id } =
  proofAddressOf(url) ??
  refuse(
    "the URL must be of a listing or an event, such as https://raises.example/listings/lst_bakery or https://raises.example/v1/events/120-3",
  );
const book = createRaisebookClient({ baseUrl, userAgent: "raisebook-verify" });

const asked =
  path === "/events/{event}/proof" ? proofOf(id) : patiently(() => book.get(path, { path: { id } }));
const failed = (error: unknown): Verdict => {
  return { proven: false, sentence: reasonOf(error), notProven: [], checks: [] };
};
const verdict = await asked
  .then((proof) => verify(proof, { rpc, complete, proofOf, ...(abi && { abi }) }))
  .catch(failed);
print(json ? `${JSON.stringify(verdict, null, 2)}\n` : textOf(verdict));
process.exitCode = verdict.proven ? 0 : 1;

function proofOf(event: string): Promise<EventProof> {
  return patiently(() => book.get("/events/{event}/proof", { path: { event } }));
}

function reasonOf(error: unknown): string {
  if (error instanceof RaisebookProblem)
    return `There is no proof: ${stripControl(error.message, { keepLineFeeds: false })}`;
  const detail =
    error instanceof Error && error.message.startsWith("http") ? error.message : "it does not answer";
  return `There is no proof from the service at ${new URL(baseUrl).origin}: ${detail}.`;
}

function textOf({ sentence, notProven }: Verdict): string {
  if (notProven.length === 0) return `${sentence}\n`;
  return `${sentence}\nNot proven:\n${notProven.map((one) => `  - ${one}\n`).join("")}`;
}
