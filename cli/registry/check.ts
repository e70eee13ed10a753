/**
 * Checks a registry document: `raisebook registry check`.
 * @module
 */
import { loadEnvFiles } from "../../config/environment.ts";
import { VARIABLES } from "../../config/variables.ts";
import { type CheckedDocument, checkDocument, type DocumentFinding, whereIs } from "./document.ts";
import { checkCommand } from "./options.ts";

/** What `--json` prints. */
type Result = {
  readonly document: string;
  readonly originators: number | null;
  readonly listings: number | null;
  readonly problems: readonly DocumentFinding[];
  readonly warnings: readonly DocumentFinding[];
};

function resultOf({ name, registry, problems, warnings }: CheckedDocument): Result {
  const { originators, listings } = registry ?? {};
  return {
    ...{ document: name, originators: originators?.length ?? null, listings: listings?.length ?? null },
    ...{ problems, warnings },
  };
}

function textOf(checked: CheckedDocument): string {
  const { name, registry, problems, warnings } = checked;
  const line = (kind: string, finding: DocumentFinding) =>
    `${whereIs(checked, finding)}: ${kind}: ${finding.text}\n`;
  const findings = [
    ...problems.map((finding) => line("error", finding)),
    ...warnings.map((finding) => line("warning", finding)),
  ].join("");
  if (registry === null) return findings;
  const { originators, listings } = registry;
  return `${findings}${name} can be used: ${originators.length} originators, ${listings.length} listings.\n`;
}

const command = checkCommand().parse();
const refuse: (message: string) => never = (message) => command.error(`error: ${message}`);
const [document] = command.processedArgs;
loadEnvFiles();
const text = document ?? process.env.REGISTRY?.trim();
if (!text) refuse("name a document, or set REGISTRY");
const { data: source, error } = VARIABLES.REGISTRY.schema.safeParse(text);
if (source === undefined) refuse(`the document ${error?.issues[0]?.message}`);
const checked = await checkDocument(source);
const { json } = command.opts();
process.stdout.write(json ? `${JSON.stringify(resultOf(checked), null, 2)}\n` : textOf(checked));
process.exitCode = checked.problems.length > 0 ? 1 : 0;
