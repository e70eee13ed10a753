/**
 * What other faces say about the tool server; `app.ts` hands it to them.
 * @module
 */
import { MCP_REVISIONS } from "./revisions.ts";
import { SERVER_NAME, SERVER_TITLE } from "./server.ts";
import type { Tool } from "./tool.ts";
import { asInputSchema } from "./tool-schema.ts";
import { TOOLS } from "./tools/index.ts";

export const TOOL_CATALOG = {
  name: SERVER_NAME,
  title: SERVER_TITLE,
  /** of the protocol, oldest first */
  revisions: MCP_REVISIONS,
  tools: TOOLS.map(cataloged),
};

/** A tool as `tools/list` lists it, without what its answers look like. */
export function cataloged({ name, title, description, input }: Tool) {
  const { jsonSchema } = asInputSchema(input)["~standard"];
  return { name, title, description, inputSchema: jsonSchema.input({ target: "draft-2020-12" }) };
}
