/** @module Command lines in tests: they throw instead of ending the process. */
import type { CommandUnknownOpts } from "@commander-js/extra-typings";

/** The command, which throws a `CommanderError` where it would end the process, and writes nothing. */
export function throwing<Command extends CommandUnknownOpts>(command: Command): Command {
  command.exitOverride().configureOutput({ writeOut() {}, writeErr() {} });
  return command;
}

/** All of the text that `--help` writes. */
export function helpOf(command: CommandUnknownOpts): string {
  const written: string[] = [];
  command.configureOutput({ writeOut: (text) => void written.push(text), getOutHelpWidth: () => 120 });
  command.outputHelp();
  return written.join("");
}
