/**
 * Checks a registry document: `raisebook registry check`.
 * @module
 */
import { loadImages } from "../../api/registry/images.ts";
import { parseRegistry, RegistryError } from "../../api/registry/parse.ts";
import type { Registry } from "../../api/registry/schema.ts";
import { requireSigner, signerOf as whoSigned } from "../../api/registry/signature.ts";
import type { RegistrySource } from "../../config/values.ts";
import { checkCommand } from "./options.ts";
import { createPlaces, type Place } from "./places.ts";
import { nameOf, readBytes, signerOf, sourceOf } from "./source.ts";

type Finding = Partial<Place> & { readonly text: string };

/** What `--json` prints. */
type Result = {
  /** a path, or the origin of a URL, which may have a password in it */
  readonly document: string;
  readonly originators: number | null;
  readonly listings: number | null;
  /** of what is signed; null when the document cannot be used */
  readonly hash: string | null;
  readonly revision: number | null;
  /** whose signature the document has; null when it has none, or cannot be used */
  readonly signer: string | null;
  /** Empty when the document can be used. */
  readonly problems: readonly Finding[];
  readonly warnings: readonly Finding[];
};

async function check(source: RegistrySource, expected: `0x${string}` | null): Promise<Result> {
  const name = nameOf(source);
  let placeOf: (problem: string) => Place | null = () => null;
  const findingOf = (text: string): Finding => ({ ...placeOf(text), text });
  try {
    const bytes = await readBytes(source);
    placeOf = createPlaces(new TextDecoder().decode(bytes));
    const registry = parseRegistry(bytes);
    if (expected !== null) await requireSigner(registry, expected);
    const signer = await whoSigned(registry);
    const { problems } = await loadImages({ source, registry });
    const { originators, listings, hash, revision } = registry;
    return {
      ...{ document: name, originators: originators.length, listings: listings.length },
      ...{ hash, revision, signer, problems: [] },
      warnings: [...problems, ...warnOfSignature(registry, signer, expected)].map(findingOf),
    };
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const hidden = error.total - error.problems.length;
    const problems = [
      ...error.problems.map(findingOf),
      ...(hidden > 0 ? [{ text: `and ${hidden} more` }] : []),
    ];
    const nothing = { originators: null, listings: null, hash: null, revision: null, signer: null };
    return { document: name, ...nothing, problems, warnings: [] };
  }
}

/** Of a signature that nobody checks. */
function warnOfSignature({ signature }: Registry, signer: string | null, expected: string | null): string[] {
  if (signature === null || expected !== null) return [];
  const by = signer === null ? "nobody's" : `by ${signer}`;
  return [`signature: is ${by}; without REGISTRY_SIGNER the service does not check it`];
}

function textOf({ document, originators, listings, signer, revision, problems, warnings }: Result): string {
  const line = (kind: string, { line, column, text }: Finding) =>
    `${document}${line === undefined ? "" : `:${line}:${column}`}: ${kind}: ${text}\n`;
  const findings = [
    ...problems.map((finding) => line("error", finding)),
    ...warnings.map((finding) => line("warning", finding)),
  ].join("");
  if (problems.length > 0) return findings;
  const signed = signer === null ? "" : `, revision ${revision}, signed by ${signer}`;
  return `${findings}${document} can be used: ${originators} originators, ${listings} listings${signed}.\n`;
}

const command = checkCommand().parse();
const refuse: (message: string) => never = (message) => command.error(`error: ${message}`);
const source = sourceOf(command.processedArgs[0], refuse);
const result = await check(source, signerOf(refuse));
process.stdout.write(command.opts().json ? `${JSON.stringify(result, null, 2)}\n` : textOf(result));
process.exitCode = result.problems.length > 0 ? 1 : 0;
