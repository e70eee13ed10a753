/** @module Ends all that a test file has started. Hooks of the file itself run before this one. */
import { afterAll } from "vitest";
import { endAll } from "./ending.ts";

afterAll(endAll);
