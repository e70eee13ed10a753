/** @module The pages of the knowledge base. */
export { knowledgeIndexPage } from "./contents.ts";
export { knowledgePage } from "./one.ts";
export { knowledgeSearchPage } from "./search.ts";
