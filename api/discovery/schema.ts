/**
 * The JSON of the discovery files in OpenAPI. Each follows its own standard, whose optional parts stay
 * open here.
 * @module
 */
import { z } from "@hono/zod-openapi";

const url = (description: string) =>
  z.string().openapi({ description, format: "uri", example: "https://raises.example/openapi.json" });

export const descriptionSchema = z
  .looseObject({
    openapi: z.literal("3.1.0").openapi({ description: "Version of the format." }),
    info: z.looseObject({ title: z.string(), version: z.literal("1.0.0") }),
    servers: z.array(z.looseObject({ url: url("Base URL of the paths.") })),
    paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  })
  .openapi("Description", { description: "OpenAPI 3.1.0." });

export const jsonSchemaSchema = z
  .looseObject({
    $schema: z
      .literal("https://json-schema.org/draft/2020-12/schema")
      .openapi({ description: "Version of JSON Schema." }),
    title: z.string().openapi({ description: "What it describes." }),
  })
  .openapi("JsonSchema", { description: "A JSON Schema." });

export const catalogSchema = z
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
        identifier: z.string().openapi({
          description: "`urn:air:<host>:<namespace>:<name>`.",
          example: "urn:air:raises.example:mcp:raisebook",
        }),
        displayName: z.string(),
        type: z.string().openapi({ description: "Media type of the resource at `url`." }),
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

export const apiCatalogSchema = z
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

export const serverCardSchema = z
  .looseObject({
    $schema: url("Schema of the format."),
    name: z.string().openapi({ description: "In reverse-DNS form, with one slash." }),
    version: z.string().openapi({ description: "Version of the service.", example: "0.1.0" }),
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

export const skillIndexSchema = z
  .object({
    $schema: url("Schema of the format."),
    skills: z.array(
      z.object({
        name: z.string(),
        type: z.literal("skill-md"),
        description: z.string(),
        url: z.string().openapi({ description: "Where the skill is." }),
        digest: z
          .string()
          .regex(/^sha256:[0-9a-f]{64}$/)
          .openapi({ description: "SHA-256 of the bytes that are served there." }),
      }),
    ),
  })
  .openapi("SkillIndex", { description: "Skills for agents." });
