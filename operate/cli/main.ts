/** @module `raisebook` without a command: help, and shell completion. */
import { program } from "./program.ts";

program().parse();
