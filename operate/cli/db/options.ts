/**
 * The command lines of `raisebook db export` and `raisebook db import`.
 * @module
 */
import { commandWithSettings, SETTINGS_TEXT } from "../../../config/command.ts";

export const exportCommand = () =>
  commandWithSettings(
    "raisebook db export",
    "Writes every final event to a ledger file, which starts a new server in seconds.",
    {
      more: `The file has the events of the current schema up to the last final block, from one snapshot: on PostgreSQL the service
may go on running. The embedded database has to be free: stop the service first. Of the endpoints it needs the hash of
that block alone. With HOLDERS=true there is nothing to export: transfers are in no ledger.
${SETTINGS_TEXT}`,
      exitCodes: { 0: "the file was written", 1: "it was not, and nothing is left of it" },
    },
  )
    .argument("<file>", "where to write it; - is standard output")
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
    .argument("<file>", "a file that raisebook db export has written")
    .option("--json", "print the result as JSON");
