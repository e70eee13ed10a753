/** @module What ends with each test file. Hooks of the file itself run before this one. */
import { afterAll } from "vitest";
import { endAll } from "./ending.ts";

afterAll(endAll);
