/**
 * What the discovery files are made from.
 * @module
 */
import type { Log } from "../../config/log.ts";
import type { Knowledge } from "../knowledge/load.ts";
import type { Site } from "../market/listing.ts";

/** The tool server, as far as these files say something about it. */
export type ToolServer = {
  name: string;
  title: string;
  /** of the protocol */
  revisions: readonly string[];
  tools: readonly { name: string; description: string }[];
};

export type DiscoveryDependencies = {
  knowledge: Knowledge;
  site: Site;
  toolServer: ToolServer;
  /** of the service */
  version: string;
  log: Log;
};
