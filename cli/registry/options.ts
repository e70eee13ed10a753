/**
 * The command line of `raisebook registry check`.
 * @module
 */
import { commandOf, SETTINGS_TEXT } from "../../config/command.ts";

export const checkCommand = () =>
  commandOf("raisebook registry check", "Checks a registry document, and the pictures that it names.", {
    more: `Problems are named with line and column. A picture that cannot be used is a warning: a pattern stands in for it.
Without a document it is REGISTRY. ${SETTINGS_TEXT}`,
    exitCodes: { 0: "the document can be used", 1: "it cannot" },
  })
    .argument("[document]", "a file, or an https URL (http on loopback)")
    .option("--json", "print the result as JSON");
