/** @module Verifies a ledger file and stores it for the next start: `raisebook db import`. */
import { print } from "../../../config/command.ts";
import { counted } from "../../../config/format/counted.ts";
import { progressBar } from "../../../config/progress-bar.ts";
import { ledgerSource } from "../../../config/values.ts";
import { type ImportedLedger, importLedger } from "../../backfill/import-ledger.ts";
import { LedgerFileError } from "../../backfill/ledger-line.ts";
import { importCommand } from "../options.ts";
import { CommandError, checkpointOf, openTables, requireKey, runWith, type Work } from "./tables.ts";

const FILLED = 3;

/** The output of `--json`; problems of a file go to standard error. */
type Report =
  | ({ readonly imported: true; lastBlock: ImportedLedger["last"] } & Omit<ImportedLedger, "last">)
  | { readonly imported: false; readonly filledUpTo: number };

async function importFrom(place: string, context: Parameters<Work>[0]): Promise<Report> {
  requireKey(context);
  const { settings, client } = context;
  if (!settings.fastForward)
    throw new CommandError(
      "FAST_FORWARD=false: the history is indexed event by event, and a ledger file is not used.",
    );
  const { data: source, error } = ledgerSource.safeParse(place);
  if (source === undefined) throw new CommandError(`<file> ${error.issues[0]?.message}.`);
  const tables = await openTables(settings);
  try {
    const position = await checkpointOf(tables);
    if (position !== null) return { imported: false, filledUpTo: position.last };
    const progress = progressBar("Comparing with the chain");
    const importing = importLedger({ source, settings, client, onCompared: progress.update });
    const { events, last: lastBlock, ...verification } = await importing.finally(progress.end);
    return { imported: true, events, lastBlock, ...verification };
  } catch (error) {
    if (error instanceof LedgerFileError)
      throw new CommandError(`${place} cannot be imported: ${error.message}`);
    throw error;
  } finally {
    await tables.close();
  }
}

function describe(report: Report): string {
  if (!report.imported)
    return (
      `The tables are filled already, up to block ${report.filledUpTo}: nothing needs importing.\n` +
      "To start over: raisebook db prune --start-over, or, for the embedded database, move the folder pglite in RAISEBOOK_DATA_DIR away.\n"
    );
  const { events, listings, blocks, compared, lastBlock, anomalies } = report;
  const odd = Object.entries(anomalies).map(([kind, count]) => `${count} ${kind}`);
  return [
    `Imported ${counted(events, "events")} of ${counted(listings, "listings")} up to block ${lastBlock.number}. The next start folds them.\n`,
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
  print(command.opts().json ? `${JSON.stringify(report, null, 2)}\n` : describe(report));
  return report.imported ? 0 : FILLED;
});
// Pending calls to nodes must not delay the end.
process.exit(code);
