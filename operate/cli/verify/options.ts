/**
 * The command line of `raisebook verify`.
 * @module
 */
import { Option } from "@commander-js/extra-typings";
import { commandOf, httpUrl } from "../../../config/command.ts";

export const verifyCommand = () =>
  commandOf("raisebook verify", "Verifies an event or a listing's totals against a node of your own.", {
    more: `Nothing is believed of the service. The node is asked for hashes of blocks, and with --complete for the contract's totals
at the block that the service names, whose state it must have. What is proven and what is not: docs/proofs.md.`,
    exitCodes: { 0: "proven", 1: "not proven; the reason is printed" },
  })
    .argument("<url>", "of a listing or an event: its page, its data or its proof", httpUrl)
    .addOption(
      new Option(
        "--rpc <url>",
        "a node that you trust; others on this machine see it, so a URL with a key belongs into the variable",
      )
        .env("VERIFY_RPC")
        .argParser(httpUrl)
        .makeOptionMandatory(),
    )
    .option("--complete", "also ask the contract for its totals, so that an event that was left out shows")
    .option("--json", "print the verdict as JSON");
