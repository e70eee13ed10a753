/** @module The command line of `raisebook doctor`. */
import { commandWithSettings, SETTINGS_TEXT } from "../../config/command.ts";

export const doctorCommand = () =>
  commandWithSettings("raisebook doctor", "Examines a set-up: says what is wrong, and how to fix it.", {
    more: `It looks at the settings, each RPC endpoint, the contracts, the database, the registry, and what others find at
PUBLIC_URL, and changes nothing; the service may run or not. Each endpoint is asked some 150 times. It says nothing of what
is in order: --verbose has that, with the calls a day and what they cost.
${SETTINGS_TEXT}`,
    exitCodes: { 0: "nothing is wrong, or there are only warnings", 1: "there are problems" },
  })
    .option("--verbose", "also print what was measured and counted")
    .option("--json", "print it as JSON");
