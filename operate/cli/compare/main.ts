/** @module Compares the books of two services: `raisebook compare`. */

import { createRaisebookClient, patiently, RaisebookProblem } from "../../../client/index.ts";
import { print } from "../../../config/command.ts";
import { counted } from "../../../config/format/counted.ts";
import { stripControl } from "../../../config/format/untrusted-text.ts";
import { compareCommand } from "../options.ts";
import { type Book, type Comparison, compare, type Difference, IncomparableError } from "./compare.ts";

const EXIT_INCOMPARABLE = 2;

const command = compareCommand().parse();
const [urlA, urlB] = command.processedArgs;
const { at, json } = command.opts();

try {
  const comparison = await compare(bookAt("A", urlA), bookAt("B", urlB), {
    at: at === undefined ? undefined : BigInt(at),
    onProgress: process.stderr.isTTY ? showProgress : undefined,
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  print(json ? `${JSON.stringify(jsonOf(comparison), null, 2)}\n` : textOf(comparison));
  process.exitCode = comparison.differences.length === 0 ? 0 : 1;
} catch (error) {
  const isExpected = error instanceof IncomparableError;
  process.stderr.write(isExpected ? `${lineOf(error.message)}\n` : `${(error as Error).stack}\n`);
  process.exitCode = EXIT_INCOMPARABLE;
}

/** @param url of the service, with or without `/v1`. Failures are thrown as errors that name the service. */
function bookAt(name: string, url: string): Book {
  const client = createRaisebookClient({
    baseUrl: url.endsWith("/v1") ? url : `${url}/v1`,
    userAgent: "raisebook-compare",
  });
  const ask = <Answer>(request: () => Promise<Answer>): Promise<Answer> =>
    patiently(request).catch((error: unknown) => {
      throw new IncomparableError(`${name} (${url}): ${reasonOf(error)}`);
    });
  return {
    chainId: () =>
      ask(async () => {
        const { chainId } = await client.get("/health");
        if (!Number.isInteger(chainId)) throw new TypeError("no chain id");
        return chainId;
      }),
    root: (block) => ask(() => client.get("/root", { query: block === undefined ? {} : { at: `${block}` } })),
    nodes: (tree, prefixes, block) =>
      ask(async () => {
        const query = { tree, prefix: prefixes.join(","), at: `${block}` };
        return (await client.get("/root/nodes", { query })).nodes;
      }),
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof RaisebookProblem)) return "it does not answer as a Raisebook does.";
  if (error.status === 404) return "it has no root of the book: its release is too old.";
  return error.message;
}

function showProgress({ differences, open }: { differences: number; open: number }): void {
  process.stderr.write(
    `\r\u001b[K${counted(differences, "differences")} so far, ${open} branches to look into`,
  );
}

function jsonOf({ at: block, a, b, differences }: Comparison) {
  return {
    equal: differences.length === 0,
    at: `${block}`,
    a: { url: urlA, ...a },
    b: { url: urlB, ...b },
    differences,
  };
}

function heldBy({ listings, ledger, root }: Comparison["a"]): string {
  return `${counted(listings.count, "listings")} and ${counted(ledger.count, "events")}, root ${lineOf(root)}`;
}

function textOf({ at: block, a, b, differences }: Comparison): string {
  if (differences.length === 0) return `The same as of block ${block}: ${heldBy(a)}.\n`;
  const count = (tree: Difference["tree"], units: string) =>
    counted(differences.filter((one) => one.tree === tree).length, units);
  const lines = [
    `Different as of block ${block}: ${count("listings", "listings")} and ${count("ledger", "events")}. Values are those of A, then of B.`,
    `  A  ${urlA}: ${heldBy(a)}`,
    `  B  ${urlB}: ${heldBy(b)}`,
    ...differences.flatMap(({ name, onlyIn, members }) => [
      onlyIn === null ? name : `${name}: only in ${onlyIn}`,
      ...members.map((one) => `  ${one.name}: ${JSON.stringify(one.a)} | ${JSON.stringify(one.b)}`),
    ]),
  ];
  return `${lines.map(lineOf).join("\n")}\n`;
}

/** A line with texts of the services, without anything that a terminal acts on. */
function lineOf(text: string): string {
  return stripControl(text, { keepLineFeeds: false });
}
