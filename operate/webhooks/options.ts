/** @module The command line of `raisebook deliver`. */
import { Option } from "@commander-js/extra-typings";
import { commandWithSettings, SETTINGS_TEXT } from "../../config/command.ts";

const EACH = ["check", "status", "retry", "forget"];

export const deliverCommand = () => {
  const one = (name: string, flags: string, about: string) =>
    new Option(flags, about).conflicts(EACH.filter((other) => other !== name));
  return commandWithSettings(
    "raisebook deliver",
    "Sends events to the targets of WEBHOOKS as signed messages (Standard Webhooks), in a separate process (npm run deliver).",
    {
      more: `It follows GET /v1/stream of a reader (WEBHOOKS_READER), and keeps the position of each target in the schema raisebook_webhooks of
DATABASE_URL, or in RAISEBOOK_DATA_DIR. A second process waits for the end of the first. The file is read at the start.
${SETTINGS_TEXT}`,
      exitCodes: {
        0: "stopped on request (SIGINT, SIGTERM or SIGHUP), or what was asked for is done",
        1: "settings, file or database cannot be used, or some dead letters were not taken",
      },
    },
  )
    .addOption(one("check", "--check", "validate settings, file and database, and exit without sending"))
    .addOption(one("status", "--status", "show each target's position and dead letters"))
    .addOption(
      one(
        "retry",
        "--retry [target]",
        "send the dead letters of a target, or of all, in their order; the service may go on running",
      ),
    )
    .addOption(
      one(
        "forget",
        "--forget <target>",
        "forget a target's position and dead letters: it starts over as its entry says",
      ),
    )
    .option("--json", "print the result of --status as JSON");
};
