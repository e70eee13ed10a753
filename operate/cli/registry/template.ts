/** @module Prints entries for the listings on the chain that the registry does not name: `raisebook registry template`. */

import { existsSync } from "node:fs";
import { RegistryError } from "../../../api/registry/error.ts";
import { draftOf } from "../../../api/registry/json-stream.ts";
import { nameOf, readDraft } from "../../../api/registry/source.ts";
import { print } from "../../../config/command.ts";
import type { Settings } from "../../../config/environment.ts";
import { counted } from "../../../config/format/counted.ts";
import { progressBar } from "../../../config/progress-bar.ts";
import { runCommand } from "../../../config/run-command.ts";
import { contractsOf } from "../../../src/contracts/contracts.ts";
import { checkedNode } from "../../daemon/check-chain.ts";
import { templateCommand } from "../options.ts";
import { type OnChain, readOnChain, UnreadableChainError } from "./created.ts";
import { type Entries, missingEntries } from "./entries.ts";

const NO_DOCUMENT = new TextEncoder().encode('{"originators":[],"listings":[]}');

/** Ends the command with exit code 1. */
class Failure extends Error {}

async function template(settings: Settings, isMerged: boolean): Promise<{ text: string; notes: string[] }> {
  const { registry: source } = settings;
  const isNew = "path" in source && !existsSync(source.path);
  if (isMerged && source.kind !== "file" && source.kind !== "url")
    throw new Failure(
      "--merge prints one document, and this registry has its entries one by one: add the printed ones",
    );
  const draft = isNew ? await draftOf(NO_DOCUMENT) : await readDraft(source);
  const { registry, content } = await draft.finish();
  const entries = missingEntries(registry, await readChain(settings), contractsOf(settings).lifecycle);
  const { originators, listings, notes } = entries;
  const printed = isMerged ? merged(Buffer.concat([...content()]), entries) : { originators, listings };
  const name = nameOf(source);
  const unnamed = `${counted(listings.length, "listings")} on the chain without an entry`;
  return {
    text: `${JSON.stringify(printed, null, 2)}\n`,
    notes: [`${name}${isNew ? " does not exist yet" : ""}: ${unnamed}.`, ...notes],
  };
}

/** The existing document with the entries added to its lists. Its signature would no longer match. */
function merged(bytes: Uint8Array, { originators, listings }: Entries): object {
  type Written = { originators: object[]; listings: object[]; revision?: number; signature?: string };
  const { signature: _, ...document }: Written = JSON.parse(new TextDecoder().decode(bytes));
  const { revision } = document;
  return {
    ...document,
    originators: [...document.originators, ...originators],
    listings: [...document.listings, ...listings],
    revision: revision === undefined ? undefined : revision + 1,
  };
}

async function readChain(settings: Settings): Promise<OnChain> {
  const { head } = await checkedNode(settings);
  const bar = progressBar("Reading the chain");
  try {
    return await readOnChain({ settings, to: head, onProgress: bar.update });
  } finally {
    bar.end();
  }
}

/** The message for the user; other errors are bugs. */
function messageOf(error: unknown): string | null {
  if (error instanceof Failure) return error.message;
  return error instanceof UnreadableChainError ? `The chain cannot be read: ${error.message}` : null;
}

/** Names the registry before each of its problems. */
function failureOf(error: unknown, name: string): unknown {
  if (!(error instanceof RegistryError)) return error;
  const problems = error.message.split("\n").map((problem) => `${name}: error: ${problem}`);
  return new Failure(problems.join("\n"));
}

const { merge = false } = templateCommand().parse().opts();
process.exitCode = await runCommand(async (settings, redact) => {
  const { text, notes } = await template(settings, merge).catch((error) => {
    throw failureOf(error, nameOf(settings.registry));
  });
  process.stderr.write(`${redact(notes.join("\n"))}\n`);
  print(text);
  return 0;
}, messageOf);
