/**
 * Verifies a ledger file and stores it for the next start: `raisebook db import`.
 * @module
 */
import { access, constants } from "node:fs/promises";
import type { DeployedContract, Settings } from "../../../config/environment.ts";
import { progressBar } from "../../../config/progress-bar.ts";
import { blockOf } from "../../../src/fold/event-id.ts";
import { keepImport } from "../../backfill/imported.ts";
import { type LedgerFile, type LedgerFileHeader, openLedgerFileAt } from "../../backfill/ledger-file.ts";
import { LedgerFileError } from "../../backfill/ledger-line.ts";
import { type Verification, verifyFile } from "../../backfill/verify-file.ts";
import { importCommand } from "../options.ts";
import { CommandError, checkpointOf, openTables, runWith, type Work } from "./tables.ts";

const FILLED = 3;

/** The output of `--json`; problems of a file go to standard error. */
type Report =
  | ({ readonly imported: true; events: number; lastBlock: LedgerFileHeader["last"] } & Verification)
  | { readonly imported: false; readonly filledUpTo: number };

/** The file, if its contracts match. */
async function opened(path: string, settings: Settings, key: string): Promise<LedgerFile> {
  const file = await openLedgerFileAt(path);
  const { header } = file;
  if (header.ledgerKey === key) return file;
  const differences = [
    difference("CHAIN_ID", header.chainId, settings.chainId),
    difference("ESCROWS", header.escrows.map(textOf).join(","), settings.escrows.map(textOf).join(",")),
    difference("ESCROW_FACTORY", textOf(header.escrowFactory), textOf(settings.escrowFactory)),
    difference("DESK", textOf(header.desk), textOf(settings.desk)),
  ].filter((one) => one !== null);
  throw new LedgerFileError(
    differences.length > 0
      ? `it is of other contracts than the settings:\n${differences.join("\n")}`
      : "its events were recorded by a release that records them otherwise: export it again with this release",
  );
}

function difference(name: string, filed: string | number, set: string | number): string | null {
  return filed === set ? null : `  ${name}: ${filed || "none"} in the file, ${set || "none"} in the settings`;
}

function textOf(contract: DeployedContract | null): string {
  return contract === null ? "" : `${contract.address}@${contract.startBlock}`;
}

async function importFrom(path: string, { settings, key, client }: Parameters<Work>[0]): Promise<Report> {
  if (!settings.fastForward)
    throw new CommandError(
      "FAST_FORWARD=false: the history is indexed event by event, and a ledger file is not used.",
    );
  await access(path, constants.R_OK).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} cannot be read (${code}).`);
  });
  const tables = await openTables(settings);
  try {
    const position = await checkpointOf(tables);
    if (position !== null)
      return { imported: false, filledUpTo: Number(blockOf(position.checkpoint).number) };
    const file = await opened(path, settings, key);
    const progress = progressBar("Comparing with the chain");
    const verifying = verifyFile({ file, settings, client, onProgress: progress.update });
    const verification = await verifying.finally(progress.end);
    await keepImport(settings, path);
    const { events, last } = file.header;
    return { imported: true, events, lastBlock: last, ...verification };
  } catch (error) {
    if (error instanceof LedgerFileError)
      throw new CommandError(`${path} cannot be imported: ${error.message}`);
    throw error;
  } finally {
    await tables.close();
  }
}

function describe(report: Report): string {
  if (!report.imported)
    return (
      `The tables are filled already, up to block ${report.filledUpTo}: nothing needs importing.\n` +
      "To start over: raisebook db prune --start-over, or, for the embedded database, move RAISEBOOK_DATA_DIR away.\n"
    );
  const { events, listings, blocks, compared, lastBlock, anomalies } = report;
  const odd = Object.entries(anomalies).map(([kind, count]) => `${count} ${kind}`);
  return [
    `Imported ${events} events of ${listings} listings up to block ${lastBlock.number}. The next start folds them.\n`,
    `Compared with the chain: ${compared === blocks ? `all ${blocks}` : `${compared} of ${blocks}`} blocks with events.\n`,
    odd.length === 0 ? "" : `Events that do not add up, as on the chain: ${odd.join(", ")}.\n`,
  ].join("");
}

const REFUSED = `Warning: the endpoints refused old logs, so not all of the sample was compared. Compare the service with the contracts
once it runs: raisebook audit.`;

const command = importCommand().parse();
const [path] = command.processedArgs;
const code = await runWith(async (context) => {
  const report = await importFrom(path, context);
  if (report.imported && report.refused > 0) process.stderr.write(`${REFUSED}\n`);
  process.stdout.write(command.opts().json ? `${JSON.stringify(report, null, 2)}\n` : describe(report));
  return report.imported ? 0 : FILLED;
});
// Pending calls to nodes must not delay the end.
process.exit(code);
