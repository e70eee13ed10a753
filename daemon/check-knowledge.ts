/**
 * Reads the knowledge base once, so that a bad page stops the start instead of the service.
 * @module
 */
import { KnowledgeError, loadKnowledge } from "../api/knowledge/load.ts";
import { type Problem, problemWith, type Settings } from "../config/environment.ts";

export async function checkKnowledge({
  knowledge,
  publicUrl,
}: Pick<Settings, "knowledge" | "publicUrl">): Promise<readonly Problem[]> {
  try {
    await loadKnowledge(knowledge, publicUrl);
    return [];
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error;
    const reasons = error.problems.map((line) => `\n    - ${line}`);
    return [problemWith("KNOWLEDGE", `cannot be used (${knowledge}):${reasons.join("")}`)];
  }
}
