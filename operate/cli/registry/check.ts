/** @module Checks a registry document: `raisebook registry check`. */

import {
  type CheckedDocument,
  checkDocument,
  type DocumentFinding,
  whereIs,
} from "../../../api/registry/document.ts";
import { signatureSettings, sourceOf } from "../../../api/registry/source.ts";
import { print } from "../../../config/command.ts";
import { NO_SIGNED_TABLE } from "../../../config/environment.ts";
import { counted } from "../../../config/format/counted.ts";
import { checkCommand } from "../options.ts";

/** The output of `--json`. */
type Result = {
  readonly document: string;
  readonly originators: number | null;
  readonly listings: number | null;
  /** of the signed content; null if the document cannot be used */
  readonly hash: string | null;
  readonly revision: number | null;
  /** the signer of the document; null if it is unsigned or cannot be used */
  readonly signer: string | null;
  readonly problems: readonly DocumentFinding[];
  readonly warnings: readonly DocumentFinding[];
};

function resultOf({ name, registry, signer, problems, warnings }: CheckedDocument): Result {
  const { originators, listings, hash = null, revision = null } = registry ?? {};
  return {
    ...{ document: name, originators: originators?.length ?? null, listings: listings?.length ?? null },
    ...{ hash, revision, signer, problems, warnings },
  };
}

function textOf(checked: CheckedDocument): string {
  const { name, registry, signer, problems, warnings } = checked;
  const line = (kind: string, finding: DocumentFinding) =>
    `${whereIs(checked, finding)}: ${kind}: ${finding.text}\n`;
  const findings = [
    ...problems.map((finding) => line("error", finding)),
    ...warnings.map((finding) => line("warning", finding)),
  ].join("");
  if (registry === null) return findings;
  const { originators, listings, revision } = registry;
  const signed = signer === null ? "" : `, revision ${revision}, signed by ${signer}`;
  return `${findings}${name} can be used: ${counted(originators.length, "originators")}, ${counted(listings.length, "listings")}${signed}.\n`;
}

const command = checkCommand().parse();
const refuse: (message: string) => never = (message) => command.error(`error: ${message}`);
const source = sourceOf(command.processedArgs[0], refuse);
const signing = signatureSettings(refuse);
if (source.kind === "table" && signing.registrySigner !== null) refuse(`REGISTRY_SIGNER ${NO_SIGNED_TABLE}`);
const checked = await checkDocument(source, signing);
const { json } = command.opts();
print(json ? `${JSON.stringify(resultOf(checked), null, 2)}\n` : textOf(checked));
process.exitCode = checked.problems.length > 0 ? 1 : 0;
