/**
 * `raisebook` without a command: help, and shell completion.
 * @module
 */
import { program } from "./program.ts";

program().parse();
