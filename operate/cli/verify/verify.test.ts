import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listingEscrowEventsAbi } from "../../../abis/ListingEscrowEvents.ts";
import { secondaryDeskEventsAbi } from "../../../abis/SecondaryDeskEvents.ts";
import { temporaryFolder } from "../../../test/harness/ending.ts";
import { createProvenApp } from "../../../test/harness/proven-app.ts";
import { RAISEBOOK, runProgram } from "../../../test/harness/run-program.ts";
import { type Served, serve } from "../../../test/harness/serve.ts";
import { type ServedApp, serveApp } from "../../../test/harness/serve-app.ts";

let proven: Awaited<ReturnType<typeof createProvenApp>>;
let service: ServedApp;
let node: Served;
let rpc: string;
beforeAll(async () => {
  proven = await createProvenApp();
  service = await serveApp(proven.app);
  node = await serve(async (incoming, outgoing) => {
    const body = await text(incoming);
    const answer = await proven.rpc(new Request("http://node.example", { method: "POST", body }));
    outgoing.end(await answer.text());
  });
  rpc = `${node.url}/KEY`;
});
afterAll(async () => {
  await service.close();
  await node.stop();
});

const run = (...args: string[]) =>
  runProgram(RAISEBOOK, ["verify", ...args], { cwd: ".", env: { HOME: "/" } });

it("an event: what is proven and what is not, and exit code 0", async () => {
  const event = proven.events.at(-1) ?? "";
  const { code, output } = await run(`${service.url}/v1/events/${event}`, "--rpc", rpc);
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/^Proven: the contract 0x.*\nNot proven:\n( {2}- .*\n){3}$/),
  ]);
});

it("a listing, by its page: sums too, as JSON", async () => {
  const { code, output } = await run(`${service.url}/listings/lst_1`, "--rpc", rpc, "--json");
  const { sentence, checks } = JSON.parse(output);
  expect([code, checks.length]).toEqual([0, 7]);
  expect(sentence).toMatch(/^Proven up to block [\d,]+: committed .* and repaid [\d,.]+, of listing 1 /);
});

it("an event by an ABI of one's own: refused where it names no such event", async () => {
  const url = `${service.url}/v1/events/${proven.events.at(-1)}`;
  const abi = fileURLToPath(new URL("../../../package.json", import.meta.url));
  expect(await run(url, "--rpc", rpc, "--abi", abi)).toMatchObject({
    code: 2,
    errors: expect.stringContaining("It has no ABI"),
  });
  const folder = temporaryFolder();
  const [own, other] = ["own.json", "other.json"].map((name) => join(folder, name)) as [string, string];
  writeFileSync(own, JSON.stringify({ abi: listingEscrowEventsAbi }));
  writeFileSync(other, JSON.stringify(secondaryDeskEventsAbi));
  expect((await run(url, "--rpc", rpc, "--abi", own)).code).toBe(0);
  const { code, output } = await run(url, "--rpc", rpc, "--abi", other);
  expect([code, output]).toEqual([1, expect.stringContaining("the ABI that you gave has no event")]);
});

it.each<[string, () => string[], number, RegExp]>([
  [
    "the contract does not say the same",
    () => [`${service.url}/listings/lst_1`, "--complete"],
    1,
    /your node does not say/,
  ],
  ["no such listing", () => [`${service.url}/listings/lst_9`], 1, /^There is no proof: No visible listing/],
  [
    "nobody there",
    () => ["http://127.0.0.1:9/listings/lst_1"],
    1,
    /^There is no proof from the service at http:\/\/127.0.0.1:9: /,
  ],
  ["of neither", () => [`${service.url}/originators/org_northwind`], 2, /must be of a listing or an event/],
  ["no URL", () => ["lst_1"], 2, /must be an http or https URL/],
])("%s", async (_, args, expected, message) => {
  const { code, output, errors } = await run(...args(), "--rpc", rpc);
  expect([code, output + errors]).toEqual([expected, expect.stringMatching(message)]);
  expect(output + errors).not.toContain("KEY");
});

it("leaves out what a terminal acts on in a service's answer", async () => {
  await using liar = await serve((_, outgoing) => {
    outgoing.writeHead(400, { "Content-Type": "application/problem+json" });
    outgoing.end(
      JSON.stringify({ status: 400, code: "invalid_parameter", detail: "\u001b[2J\u009bHProven\n" }),
    );
  });
  const { url } = liar;
  const { code, output } = await run(`${url}/listings/lst_1`, "--rpc", rpc);
  expect([code, output]).toEqual([1, "There is no proof: [2JHProven\n"]);
  const compared = await runProgram(RAISEBOOK, ["compare", service.url, url], {
    cwd: ".",
    env: { HOME: "/" },
  });
  expect([compared.code, compared.errors]).toEqual([2, expect.stringMatching(/: \[2JHProven\n$/)]);
});

it("needs a node", async () => {
  expect(await run(`${service.url}/listings/lst_1`)).toMatchObject({
    code: 2,
    errors: expect.stringContaining("--rpc"),
  });
});
