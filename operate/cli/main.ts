/**
 * What `raisebook` does by itself: help, and the completion of shells.
 * @module
 */
import { program } from "./program.ts";

program().parse();
