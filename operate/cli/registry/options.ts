/**
 * The command lines of `raisebook registry`.
 * @module
 */
import { commandWithSettings, SETTINGS_TEXT } from "../../../config/command.ts";

export const checkCommand = () =>
  commandWithSettings(
    "raisebook registry check",
    "Checks a registry document, and the pictures that it names.",
    {
      more: `Problems are named with line and column. A picture that cannot be used is a warning: a pattern stands in for it.
With REGISTRY_SIGNER the document must have that address's signature for PUBLIC_URL. Without a document it is REGISTRY. ${SETTINGS_TEXT}`,
      exitCodes: { 0: "the document can be used", 1: "it cannot" },
    },
  )
    .argument("[document]", "a file, or an https URL (http on loopback)")
    .option("--json", "print the result as JSON");

export const typedDataCommand = () =>
  commandWithSettings("raisebook registry typed-data", "Prints what the operator signs, for a wallet.", {
    more: `It is the typed data (EIP-712) of the document without its signature, as eth_signTypedData_v4 takes it, for the service at
PUBLIC_URL. The document needs a revision. Its signature is a member of it: "signature": "0x…". Without a document it is REGISTRY. ${SETTINGS_TEXT}`,
    exitCodes: { 0: "the typed data", 1: "the document cannot be used, or has no revision" },
  }).argument("[document]", "a file, or an https URL (http on loopback)");

export const templateCommand = () =>
  commandWithSettings(
    "raisebook registry template",
    "Prints an entry for each listing on the chain that the registry does not name.",
    {
      more: `It reads the chain from the start blocks to its head: no service need be running. What only the operator knows is left empty, and
registry check refuses it until it is filled in. Each entry is described on standard error. ${SETTINGS_TEXT}`,
      exitCodes: { 0: "the entries, if there are any", 1: "settings, registry or chain cannot be used" },
    },
  ).option("--merge", "print the whole registry with the entries added, without its signature");
