// Loaded into every process of a run of the tests: PGlite runs too briefly there to be worth optimising, which takes most of its start.
import { setFlagsFromString } from "node:v8";

for (const flag of ["liftoff-only", "no-wasm-tier-up", "no-wasm-dynamic-tiering"])
  setFlagsFromString(`--${flag}`);
