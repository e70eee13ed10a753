/**
 * The manifest of resources for agents: one document for readers of AI Catalog and of its successor ARD. Interface
 * document, "Discovery and agent-facing files".
 * @module
 */
import { PATHS, TYPES } from "../http/links.ts";
import type { ToolServer } from "./published.ts";
import { type PublishedFile, prettyBody } from "./published.ts";
import { CARD_DESCRIPTION, hostOf } from "./server-card.ts";
import type { PublishedSkill } from "./skills.ts";

/** The type of a skill that readers of both formats accept; some refuse the working group's own. */
const SKILL_TYPE = 'text/markdown; profile="urn:air:agent-skills"';

/** Three keys at the root and no more: the stricter of the two formats forbids others. */
export function aiCatalogFiles(
  publicUrl: string,
  toolServer: ToolServer,
  skills: readonly PublishedSkill[],
): PublishedFile[] {
  const { name, title } = toolServer;
  const host = hostOf(publicUrl);
  const catalog = {
    specVersion: "1.0",
    // A domain name, not a DID: a DID would promise a document that does not exist.
    host: { displayName: title, identifier: host, documentationUrl: publicUrl + PATHS.llms },
    entries: [
      {
        identifier: `urn:air:${host}:mcp:${name}`,
        displayName: `${title} tools`,
        type: TYPES.serverCard,
        url: publicUrl + PATHS.serverCard,
        description: CARD_DESCRIPTION,
        representativeQueries: [
          "Which raises take money now, and at what coupon?",
          "Show me one raise with its schedule and latest events",
          "Which businesses have grade A, and why?",
          "How do refunds work?",
        ],
      },
      ...skills.map(({ skill, url }) => ({
        identifier: `urn:air:${host}:skill:${skill.name}`,
        displayName: skill.title,
        type: SKILL_TYPE,
        url,
        description: skill.description,
        representativeQueries: skill.questions,
      })),
    ],
  };
  return [
    { path: PATHS.aiCatalog, body: prettyBody(TYPES.aiCatalog, catalog) },
    { path: PATHS.ard, body: prettyBody(TYPES.json, catalog) },
  ];
}
