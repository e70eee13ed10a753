/** @module The worked examples by the name that `--contracts` takes. */
import type { ExampleName } from "../../operate/cli/demo-options.ts";
import type { Example } from "./example.ts";
import { POOLED_LOANS } from "./pooled-loans/pools.ts";
import { RAISE_ESCROWS } from "./raise-escrows/escrows.ts";

export const EXAMPLES: Readonly<Record<ExampleName, Example>> = {
  "pooled-loans": POOLED_LOANS,
  "raise-escrows": RAISE_ESCROWS,
};
