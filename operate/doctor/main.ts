/**
 * Examines the set-up of the environment.
 *
 *     raisebook doctor [--verbose | --json | --help]
 * @module
 */
import { exitAfterOutput, print } from "../../config/command.ts";
import { progressBar } from "../../config/progress-bar.ts";
import { loadSettingsFiles } from "../daemon/check-environment.ts";
import { examine } from "./doctor.ts";
import { doctorCommand } from "./options.ts";
import { proposalOf, textOf } from "./report.ts";

const { json, verbose = false, envFile } = doctorCommand().parse().opts();
const files = loadSettingsFiles({ envFile });
const progress = progressBar("Examining");
const report = await examine(process.env, { files, onProgress: progress.update });
progress.end();
const { findings, facts, isWhole } = report;
const hasProblems = findings.some(({ severity }) => severity === "problem");
print(
  json
    ? `${JSON.stringify({ isHealthy: !hasProblems, isWhole, findings, proposal: proposalOf(findings), facts }, null, 2)}\n`
    : textOf(report, { isVerbose: verbose }),
);
exitAfterOutput(hasProblems ? 1 : 0);
