/**
 * Checks a registry document: `raisebook registry check`.
 * @module
 */
import { loadImages } from "../../api/registry/images.ts";
import { loadRegistry } from "../../api/registry/load.ts";
import { parseRegistry, RegistryError } from "../../api/registry/parse.ts";
import { loadEnvFiles } from "../../config/environment.ts";
import type { RegistrySource } from "../../config/values.ts";
import { VARIABLES } from "../../config/variables.ts";
import { checkCommand } from "./options.ts";
import { createPlaces, type Place } from "./places.ts";

type Finding = Partial<Place> & { readonly text: string };

/** What `--json` prints. */
type Result = {
  /** a path, or the origin of a URL, which may have a password in it */
  readonly document: string;
  readonly originators: number | null;
  readonly listings: number | null;
  /** Empty when the document can be used. */
  readonly problems: readonly Finding[];
  readonly warnings: readonly Finding[];
};

async function check(source: RegistrySource): Promise<Result> {
  const name = source.kind === "file" ? source.path : new URL(source.url).origin;
  let placeOf: (problem: string) => Place | null = () => null;
  const findingOf = (text: string): Finding => ({ ...placeOf(text), text });
  try {
    const loaded = await loadRegistry(source);
    const bytes = loaded.kind === "document" ? loaded.bytes : new Uint8Array();
    placeOf = createPlaces(new TextDecoder().decode(bytes));
    const registry = parseRegistry(bytes);
    const { problems } = await loadImages({ source, registry });
    const { originators, listings } = registry;
    return {
      ...{ document: name, originators: originators.length, listings: listings.length },
      ...{ problems: [], warnings: problems.map(findingOf) },
    };
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const hidden = error.total - error.problems.length;
    const problems = [
      ...error.problems.map(findingOf),
      ...(hidden > 0 ? [{ text: `and ${hidden} more` }] : []),
    ];
    return { document: name, originators: null, listings: null, problems, warnings: [] };
  }
}

function textOf({ document, originators, listings, problems, warnings }: Result): string {
  const line = (kind: string, { line, column, text }: Finding) =>
    `${document}${line === undefined ? "" : `:${line}:${column}`}: ${kind}: ${text}\n`;
  const findings = [
    ...problems.map((finding) => line("error", finding)),
    ...warnings.map((finding) => line("warning", finding)),
  ].join("");
  if (problems.length > 0) return findings;
  return `${findings}${document} can be used: ${originators} originators, ${listings} listings.\n`;
}

const command = checkCommand().parse();
const refuse: (message: string) => never = (message) => command.error(`error: ${message}`);
const [document] = command.processedArgs;
loadEnvFiles();
const text = document ?? process.env.REGISTRY?.trim();
if (!text) refuse("name a document, or set REGISTRY");
const { data: source, error } = VARIABLES.REGISTRY.schema.safeParse(text);
if (source === undefined) refuse(`the document ${error?.issues[0]?.message}`);
const result = await check(source);
process.stdout.write(command.opts().json ? `${JSON.stringify(result, null, 2)}\n` : textOf(result));
process.exitCode = result.problems.length > 0 ? 1 : 0;
