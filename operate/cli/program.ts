/** @module All commands of `raisebook`, for its help and shell completion. `raisebook.mjs` runs the modules of `modules.json`. */
import tab from "@bomb.sh/tab/commander";
import { commandOf } from "../../config/command.ts";
import packageJson from "../../package.json" with { type: "json" };
import { auditCommand } from "../audit/options.ts";
import { pruneCommand, serveCommand, startCommand, statusCommand } from "../daemon/options.ts";
import { doctorCommand } from "../doctor/options.ts";
import { deliverCommand } from "../webhooks/options.ts";
import { demoCommand } from "./demo-options.ts";
import {
  checkCommand,
  compareCommand,
  contractsCheckCommand,
  contractsInitCommand,
  exportCommand,
  importCommand,
  templateCommand,
  typedDataCommand,
  verifyCommand,
} from "./options.ts";

const COMPLETION = "\nTo have bash complete commands and options: source <(raisebook completion bash)\n";

export function program() {
  const root = commandOf("raisebook", "The open book of a fundraising marketplace.")
    .version(packageJson.version, "--version", "show the version")
    .addCommand(demoCommand())
    .addCommand(startCommand())
    .addCommand(serveCommand())
    .addCommand(deliverCommand())
    .addCommand(doctorCommand())
    .addCommand(auditCommand())
    .addCommand(verifyCommand())
    .addCommand(compareCommand())
    .addCommand(
      commandOf("raisebook contracts", "Contracts of your own.")
        .addCommand(contractsInitCommand())
        .addCommand(contractsCheckCommand()),
    )
    .addCommand(
      commandOf("raisebook registry", "The facts that are not on the chain.")
        .addCommand(checkCommand())
        .addCommand(templateCommand())
        .addCommand(typedDataCommand()),
    )
    .addCommand(
      commandOf("raisebook db", "The database, and the schemas in it.")
        .addCommand(statusCommand())
        .addCommand(pruneCommand())
        .addCommand(exportCommand())
        .addCommand(importCommand()),
    )
    .addCommand(commandOf("raisebook bench", "Measures; in a clone of the repository."))
    .addCommand(commandOf("raisebook simulate", "Plays markets with faults; in a clone of the repository."))
    .addHelpText("after", COMPLETION);
  // The type for commander without inferred types.
  tab(root as never, { completionCommandName: "completion" });
  return root;
}
