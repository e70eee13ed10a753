/** @module What ends with each test file. Hooks of the file itself run before this one. */
import { afterAll } from "vitest";
import { removeTemporaryFolders } from "./temporary-folder.ts";

afterAll(removeTemporaryFolders);
