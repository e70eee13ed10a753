/** @module The discovery files in OpenAPI. Interface document, "Discovery and agent-facing files". */
import { type RouteConfig, z } from "@hono/zod-openapi";
import { fileAnswers, problemAnswer } from "../http/described-answers.ts";
import type { HeaderComponent } from "../http/described-headers.ts";
import { text } from "../market/fields.ts";

// Each of the files follows its own standard, whose optional parts stay open here.
const url = (description: string) =>
  z.string().openapi({ description, format: "uri", example: "https://raises.example/openapi.json" });

const descriptionSchema = z
  .looseObject({
    openapi: z.literal("3.1.0").openapi({ description: "Version of the format." }),
    info: z.looseObject({ title: z.string(), version: z.literal("1.0.0") }),
    servers: z.array(z.looseObject({ url: url("Base URL of the paths.") })),
    paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  })
  .openapi("Description", { description: "OpenAPI 3.1.0." });

const jsonSchemaSchema = z
  .looseObject({
    $schema: z
      .literal("https://json-schema.org/draft/2020-12/schema")
      .openapi({ description: "Version of JSON Schema." }),
    title: text("What it describes."),
  })
  .openapi("JsonSchema", { description: "A JSON Schema." });

const catalogSchema = z
  .object({
    specVersion: z.literal("1.0").openapi({ description: "Version of the format." }),
    host: z
      .object({
        displayName: z.string(),
        identifier: z.string(),
        documentationUrl: url("Documentation."),
      })
      .openapi({ description: "The publisher." }),
    entries: z.array(
      z.looseObject({
        identifier: text("`urn:air:<host>:<namespace>:<name>`.", "urn:air:raises.example:mcp:raisebook"),
        displayName: z.string(),
        type: text("Media type of the resource at `url`."),
        url: url("Address of the resource."),
        description: z.string(),
        representativeQueries: z
          .array(z.string())
          .min(2)
          .max(5)
          .openapi({ description: "Questions that it answers." }),
      }),
    ),
  })
  .openapi("AiCatalog", { description: "Manifest of the resources for agents." });

const targets = z.array(z.looseObject({ href: url("The target."), type: z.string().optional() })).min(1);

const apiCatalogSchema = z
  .object({
    linkset: z
      .array(
        // Each relation is named: clients in strict languages cannot type the others next to the anchor's text.
        z.looseObject({
          anchor: url("The resource that the links describe."),
          item: targets.optional().openapi({ description: "The APIs, where the anchor is the catalog." }),
          "service-desc": targets.optional().openapi({ description: "Descriptions for programs." }),
          "service-doc": targets.optional().openapi({ description: "Documentation for people." }),
          status: targets.optional().openapi({ description: "The health of the service." }),
        }),
      )
      .min(1)
      .openapi({ description: "A context for each API, and one that names them all." }),
  })
  .openapi("ApiCatalog", { description: "Linkset, RFC 9264." });

const serverCardSchema = z
  .looseObject({
    $schema: url("Schema of the format."),
    name: text("In reverse-DNS form, with one slash."),
    version: text("Version of the service.", "0.1.0"),
    title: z.string(),
    description: z.string().max(100),
    remotes: z
      .array(
        z.looseObject({
          type: z.literal("streamable-http"),
          url: url("The endpoint."),
          supportedProtocolVersions: z.array(z.string()),
        }),
      )
      .min(1)
      .openapi({ description: "Where the server is reached." }),
  })
  .openapi("ServerCard", { description: "Card of the tool server. It lists no tools: `tools/list` does." });

const skillIndexSchema = z
  .object({
    $schema: url("Schema of the format."),
    skills: z.array(
      z.object({
        name: z.string(),
        type: z.literal("skill-md"),
        description: z.string(),
        url: text("Where the skill is."),
        digest: z
          .string()
          .regex(/^sha256:[0-9a-f]{64}$/)
          .openapi({
            description: "SHA-256 of the bytes that are served there, which are never compressed.",
          }),
      }),
    ),
  })
  .openapi("SkillIndex", { description: "Skills for agents." });

const textual = { schema: { type: "string" as const } };

type File = {
  path: string;
  operationId: string;
  summary: string;
  description: string;
  content: Parameters<typeof fileAnswers>[1];
  headers?: readonly HeaderComponent[];
  answers?: RouteConfig["responses"];
};

const UNTIL_INDEXED = { 503: problemAnswer("Nothing is indexed yet; see `Retry-After`.", "RetryAfter") };

const FILES: readonly File[] = [
  {
    path: "/openapi.json",
    operationId: "getOpenApi",
    summary: "This description",
    description: "The machine description of the read interface: OpenAPI 3.1.0.",
    content: { "application/json": { schema: descriptionSchema } },
  },
  {
    path: "/llms.txt",
    operationId: "getLlmsTxt",
    summary: "The site for language models",
    description:
      "When to use this service, an index of it, and the knowledge base: all of it if it fits into 30,000 characters, otherwise as many whole pages as fit.",
    content: { "text/markdown": textual },
  },
  {
    path: "/auth.md",
    operationId: "getAuthMd",
    summary: "How agents authenticate",
    description: "They do not: everything is public, and only a person can sign.",
    content: { "text/markdown": textual },
  },
  {
    path: "/.well-known/ai-catalog.json",
    operationId: "getAiCatalog",
    summary: "Resources for agents",
    description: "The manifest of the resources for agents: the card of the tool server and the skills.",
    content: { "application/ai-catalog+json": { schema: catalogSchema } },
  },
  {
    path: "/.well-known/ard.json",
    operationId: "getArd",
    summary: "Resources for agents, under the newer name",
    description: "The same bytes as `/.well-known/ai-catalog.json`.",
    content: { "application/json": { schema: catalogSchema } },
  },
  {
    path: "/.well-known/api-catalog",
    operationId: "getApiCatalog",
    summary: "The APIs of this site",
    description: "A linkset (RFC 9264) of the APIs with their descriptions, with the profile of RFC 9727.",
    content: { "application/linkset+json": { schema: apiCatalogSchema } },
    headers: ["PageLinks"],
  },
  {
    path: "/.well-known/mcp/server-card.json",
    operationId: "getServerCard",
    summary: "The card of the tool server",
    description: "Where the tool server is and which revisions of the protocol it speaks.",
    content: { "application/mcp-server-card+json": { schema: serverCardSchema } },
  },
  {
    path: "/.well-known/agent-skills/index.json",
    operationId: "getSkills",
    summary: "Skills for agents",
    description: "The skills that are built from the knowledge base, each with the digest of its bytes.",
    content: { "application/json": { schema: skillIndexSchema } },
  },
  {
    path: "/registry.schema.json",
    operationId: "getRegistrySchema",
    summary: "The format of the registry",
    description:
      "JSON Schema (2020-12) of the document in which the operator names businesses and raises, for editors.",
    content: { "application/schema+json": { schema: jsonSchemaSchema } },
  },
  {
    path: "/robots.txt",
    operationId: "getRobotsTxt",
    summary: "Rules for crawlers",
    description: "Allows everything, and names the sitemaps.",
    content: { "text/plain": textual },
  },
  {
    path: "/sitemap.xml",
    operationId: "getSitemap",
    summary: "The pages of this site",
    description: "Canonical addresses with the day of the last change.",
    content: { "application/xml": textual },
    answers: UNTIL_INDEXED,
  },
  {
    path: "/sitemap.txt",
    operationId: "getSitemapTxt",
    summary: "The pages of this site, one a line",
    description: "Canonical addresses.",
    content: { "text/plain": textual },
    answers: UNTIL_INDEXED,
  },
];

const skillName = z.string().openapi({
  param: { name: "name", in: "path" },
  description: "Name of a skill of the index.",
  example: "raisebook-compare-raises",
});

const SKILL: RouteConfig = {
  method: "get",
  path: "/.well-known/agent-skills/{name}/SKILL.md",
  operationId: "getSkill",
  summary: "A skill",
  description: "Instructions for an agent, as Markdown with frontmatter.",
  tags: ["Discovery"],
  request: { params: z.object({ name: skillName }) },
  responses: {
    ...fileAnswers("The skill.", { "text/markdown": textual }),
    404: problemAnswer("No such skill."),
  },
};

/** The card's address for clients that know only the endpoint. */
const CARD_AT_ENDPOINT: RouteConfig = {
  method: "get",
  path: "/mcp/server-card",
  operationId: "getServerCardAtEndpoint",
  summary: "The card of the tool server, at its endpoint",
  description: "The same bytes as `/.well-known/mcp/server-card.json`.",
  tags: ["Discovery"],
  responses: fileAnswers("The card.", { "application/mcp-server-card+json": { schema: serverCardSchema } }),
};

export const DISCOVERY_ROUTES: readonly RouteConfig[] = [
  ...FILES.map(
    ({ content, headers = [], answers = {}, ...about }): RouteConfig => ({
      method: "get",
      ...about,
      tags: ["Discovery"],
      responses: { ...fileAnswers("The file.", content, ...headers), ...answers },
    }),
  ),
  CARD_AT_ENDPOINT,
  SKILL,
];
