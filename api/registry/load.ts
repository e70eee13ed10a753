/** @module Loads the registry from its source, unless it is unchanged. */
import type { RegistrySource } from "../../config/values.ts";
import { loadFile } from "./file.ts";
import { loadFolder } from "./folder.ts";
import type { Loaded, LoadOptions } from "./loaded.ts";
import { loadTable } from "./table.ts";
import { loadUrl } from "./url.ts";

/** @throws {RegistryError} when the source is unreadable. The message contains neither a folder nor a URL. */
export function loadRegistry(source: RegistrySource, options: LoadOptions = {}): Promise<Loaded> {
  if (source.kind === "folder") return loadFolder(source.path, options);
  if (source.kind === "file") return loadFile(source.path, options);
  return source.kind === "table" ? loadTable(source, options) : loadUrl(source.url, options);
}
