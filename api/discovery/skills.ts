/**
 * Skills for agents (Agent Skills discovery 0.2.0): each is a list of steps followed by pages of the knowledge base. And
 * the index, with the digest of each file.
 * @module
 */
import { createHash } from "node:crypto";
import type { PublicSettings } from "../../config/public-settings.ts";
import { PATHS, TYPES } from "../http/links.ts";
import { frontmatter } from "../knowledge/frontmatter.ts";
import type { Knowledge } from "../knowledge/load.ts";
import { asChapter, MARKDOWN_TYPE, type PublishedFile, prettyBody, textBody } from "./published.ts";
import { SKILLS, type Skill } from "./skill-texts.ts";

/** An identifier of the format: clients compare it and never fetch it. */
const INDEX_SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

export type PublishedSkill = {
  skill: Skill;
  /** absolute */
  url: string;
  file: PublishedFile;
};

/** The skills for which the knowledge base has at least one page. */
export function publishSkills(knowledge: Knowledge, publicSettings: PublicSettings): PublishedSkill[] {
  return SKILLS.flatMap((skill) => {
    const pages = skill.slugs.flatMap((slug) => knowledge.pageBySlug.get(slug) ?? []);
    if (pages.length === 0) return [];
    const path = `/.well-known/agent-skills/${skill.name}/SKILL.md`;
    const { name, title, description } = skill;
    const text = `${frontmatter({ name, description })}
# ${title}

${skill.steps(publicSettings)}

${pages.map(asChapter).join("\n")}`;
    return [
      { skill, url: publicSettings.publicUrl + path, file: { path, body: textBody(MARKDOWN_TYPE, text) } },
    ];
  });
}

export function skillIndexFile(published: readonly PublishedSkill[]): PublishedFile {
  const skills = published.map(({ skill: { name, description }, url, file }) => ({
    name,
    type: "skill-md",
    description,
    url,
    // The digest of the bytes before compression.
    digest: `sha256:${createHash("sha256").update(file.body.bytes).digest("hex")}`,
  }));
  return { path: PATHS.skills, body: prettyBody(TYPES.json, { $schema: INDEX_SCHEMA, skills }) };
}
