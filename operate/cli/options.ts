/** @module The command lines of `raisebook db export` and `import`, `raisebook registry`, `raisebook verify` and `raisebook compare`. */

import { readFileSync } from "node:fs";
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { commandOf, commandWithSettings, httpUrl, SETTINGS_TEXT, wholeNumber } from "../../config/command.ts";

export const exportCommand = () =>
  commandWithSettings(
    "raisebook db export",
    "Writes every final event to a ledger file, which starts a new server in seconds, or the open data.",
    {
      more: `The file has the events of the current schema up to the last final block, from one snapshot: on PostgreSQL the service
may go on running. The embedded database has to be free: stop the service first. It asks the endpoints only for
the hash of that block. With HOLDERS=true there is no ledger file: transfers are in no ledger.
With --parquet it writes the open data instead, the files that a service with the same settings serves below /data/
(DATA_BLOCKS, DATA_LICENCE, REGISTRY), and also above 200,000 raises, where a service writes none. It continues a
directory that has some of them.
${SETTINGS_TEXT}`,
      exitCodes: {
        0: "the file was written, or the files",
        1: "it was not, and nothing is left of a ledger file",
      },
    },
  )
    .argument("[file]", "where to write it; - is standard output")
    .option(
      "--parquet <dir>",
      "write the open data to this directory instead: Parquet files and their manifest",
    )
    .option("--json", "print what is in it as JSON (on standard error where the file is standard output)");

export const importCommand = () =>
  commandWithSettings(
    "raisebook db import",
    "Verifies a ledger file, and has the first start fill its tables from it.",
    {
      more: `The settings have to name the contracts of the file, and the release has to record events as the one that wrote it.
Each event is checked and folded, and up to 200 blocks with events, chosen at random, are compared with the logs of the
chain. Nothing is changed before all of that is done. The next start folds the file and reads from the chain what came
later.
${SETTINGS_TEXT}`,
      exitCodes: {
        0: "the next start uses the file",
        1: "the file cannot be used, or could not be verified: nothing was changed",
        3: "the tables are filled already: nothing needs importing, and nothing was changed",
      },
    },
  )
    .argument("<file>", "a file that raisebook db export has written, by path or https URL")
    .option("--json", "print the result as JSON");

export const contractsInitCommand = () =>
  commandOf(
    "raisebook contracts init",
    "Writes a contracts module to start from, for the events of an ABI.",
    {
      more: `Each event gets a mapping that its name suggests, or a comment. Read it, correct it, name it in CONTRACTS, and run raisebook
contracts check. What a module may contain: docs/contracts.md.`,
      exitCodes: { 0: "the module was written", 1: "the ABI cannot be used, or the file is there already" },
    },
  )
    .argument("<abi>", "a JSON file: a list of ABI items, or a compiler's output with a member abi")
    .option("--output <file>", "where to write it; - is standard output", "contracts.mjs");

export const contractsCheckCommand = () =>
  commandWithSettings("raisebook contracts check", "Tries the contracts' module on real logs.", {
    more: `It reads logs of the configured escrows, factory and desk, and prints for each event how often it occurs, what it is mapped to, and
up to three samples; then what nothing follows, what never occurs, and the states of the listings. Each handler is called twice: one
that answers differently is not pure. ${SETTINGS_TEXT}`,
    exitCodes: {
      0: "every log could be mapped",
      1: "a handler failed or is not pure, or settings, module or chain cannot be used",
    },
  })
    .option("--from <block>", "first block; default: the start blocks", wholeNumber(0, 10 ** 12))
    .option("--to <block>", "last block; default: the head", wholeNumber(0, 10 ** 12))
    .option("--limit <logs>", "stop after so many logs", wholeNumber(1, 10_000_000), 100_000)
    .option("--json", "print the result as JSON");

export const checkCommand = () =>
  commandWithSettings(
    "raisebook registry check",
    "Checks a registry document, and the pictures that it names.",
    {
      more: `Problems are named with line and column. A picture that cannot be used is a warning: a pattern stands in for it.
With REGISTRY_SIGNER the document must have that address's signature for PUBLIC_URL; whether its revision is higher than that of the
document in use is checked by npm start -- --check. Without a document it is REGISTRY. ${SETTINGS_TEXT}`,
      exitCodes: { 0: "the document can be used", 1: "it cannot" },
    },
  )
    .argument("[document]", "a file, a folder, an https URL (http on loopback), or a table")
    .option("--json", "print the result as JSON");

export const typedDataCommand = () =>
  commandWithSettings("raisebook registry typed-data", "Prints what the operator signs, for a wallet.", {
    more: `It is the typed data (EIP-712) of the document without its signature, as eth_signTypedData_v4 takes it, for the service at
PUBLIC_URL. The document needs a revision. Its signature is a member of it: "signature": "0x…". Without a document it is REGISTRY. ${SETTINGS_TEXT}`,
    exitCodes: { 0: "the typed data", 1: "the document cannot be used, or has no revision" },
  }).argument("[document]", "a file, a folder, an https URL (http on loopback), or a table");

export const templateCommand = () =>
  commandWithSettings(
    "raisebook registry template",
    "Prints an entry for each listing on the chain that the registry does not name.",
    {
      more: `It reads the chain from the start blocks to its head: no service need be running. What only the operator knows is left empty, and
registry check refuses it until it is filled in. Each entry is described on standard error. ${SETTINGS_TEXT}`,
      exitCodes: { 0: "the entries, if there are any", 1: "settings, registry or chain cannot be used" },
    },
  ).option("--merge", "print the whole registry with the entries added, without its signature");

/** The items of an ABI in a file: a list, or an object with one as `abi`, as compilers write it. */
function abiFile(path: string): readonly unknown[] {
  try {
    const content: unknown = JSON.parse(readFileSync(path, "utf8"));
    const items = Array.isArray(content) ? content : (content as { abi?: unknown } | null)?.abi;
    if (Array.isArray(items)) return items;
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
  throw new InvalidArgumentError("It has no ABI: expected a list of items, or an object with one as abi.");
}

export const verifyCommand = () =>
  commandOf("raisebook verify", "Verifies an event or a listing's totals against a node of your own.", {
    more: `The service is not trusted. The node is asked for hashes of blocks, and with --complete for the contract's totals
at the block that the service names, whose state it must have. What is proven and what is not: docs/proofs.md.`,
    exitCodes: { 0: "proven", 1: "not proven; the reason is printed" },
  })
    .argument("<url>", "of a listing or an event: its page, its data or its proof", httpUrl)
    .addOption(
      new Option(
        "--rpc <url>",
        "a node that you trust; others on this machine see it, so a URL with a key belongs into the variable",
      )
        .env("VERIFY_RPC")
        .argParser(httpUrl)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        "--abi <file>",
        "the contract's ABI as JSON, from a source that you trust: what the proof calls the arguments of events must be in it",
      ).argParser(abiFile),
    )
    .option("--complete", "also ask the contract for its totals, so that an event that was left out shows")
    .option("--json", "print the verdict as JSON");

export const compareCommand = () =>
  commandOf("raisebook compare", "Finds where two services' books differ.", {
    more: `Both are asked for the root of their book as of one final block, by default the last that is final in both. Where the roots
differ it follows the branches that do, down to each listing and event, and prints each member that is not the same. Texts of
the registry, grades and whatever depends on the time are no part of it: docs/book-root.md.`,
    exitCodes: {
      0: "the two are the same",
      1: "they differ; each difference is printed",
      2: "they could not be compared, or an option or an argument cannot be used",
    },
  })
    .argument("<A>", "a service, such as https://raises.example", httpUrl)
    .argument("<B>", "the other one", httpUrl)
    .option("--at <block>", "a block that is final in both", wholeNumber(0, 10 ** 12))
    .option("--json", "print the result as JSON");
