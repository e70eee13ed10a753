/** @module The command line of `npm run audit`. */
import { Option } from "@commander-js/extra-typings";
import { commandWithSettings, httpUrl, SETTINGS_TEXT } from "../../config/command.ts";

export const auditCommand = () =>
  commandWithSettings(
    "raisebook audit",
    "Compares every figure of the tables with the contracts, and the tables with the ledger (npm run audit).",
    {
      more: `With DATABASE_URL it reads the tables itself.\n${SETTINGS_TEXT}`,
      exitCodes: {
        0: "no differences",
        1: "differences, each printed with listing, field, expected, found and block",
        2: "the audit failed",
      },
    },
  )
    .option(
      "--url <url>",
      "have the service at this operator's address audit itself (for the embedded database); default without DATABASE_URL: OPERATOR_PORT of the settings",
      httpUrl,
    )
    .addOption(
      new Option(
        "--rpc-url <url>",
        "use this node instead of RPC_URLS; it must have the state of recent blocks; others on this machine see it, so a URL with a key belongs into RPC_URLS",
      )
        .argParser(httpUrl)
        .conflicts("url"),
    )
    .addOption(
      new Option(
        "--logs",
        "also fetch every log again and compare it with the ledger (slow; not with --url)",
      ).conflicts("url"),
    )
    .option("--json", "print the result as JSON");

export type AuditOptions = ReturnType<ReturnType<typeof auditCommand>["opts"]>;
