/**
 * Advice on the wrong arguments of a tool call, for a model to follow.
 * @module
 */
import type { z } from "zod";
import { quote } from "../../config/format/untrusted-text.ts";
import type { Tool } from "./tool.ts";
import { inputJsonSchema } from "./tool-schema.ts";

/** A property of a tool's input as it is listed: flat, and in these forms only. */
type Property = {
  type: "string" | "integer" | "array";
  enum?: readonly string[];
  items?: { enum?: readonly string[] };
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};

/** A model can get any number of arguments wrong. */
const MOST_SENTENCES = 3;

/** A sentence for each wrong argument: its form, and the value given. */
export function adviceOn({ name, input }: Tool, { issues }: z.ZodError, args: unknown): string {
  const { properties } = inputJsonSchema(input) as { properties: Record<string, Property> };
  const given = (args ?? {}) as Record<string, unknown>;
  const sentences = issues.map((issue) => {
    if (issue.code === "unrecognized_keys") {
      const unknown = issue.keys.slice(0, MOST_SENTENCES).map((key) => quote(key));
      return `There is no argument ${unknown.join(", ")}; ${name} takes ${Object.keys(properties).join(", ")}.`;
    }
    const argument = String(issue.path[0] ?? "");
    const property = properties[argument];
    if (property === undefined) return `The arguments of ${name} must be an object.`;
    const value = Object.hasOwn(given, argument) ? given[argument] : undefined;
    const was = value === undefined ? "it is missing" : `it was ${quote(value)}`;
    return `\`${argument}\` must be ${formOf(property)}; ${was}.`;
  });
  return [...new Set(sentences)].slice(0, MOST_SENTENCES).join(" ");
}

function formOf({ type, enum: words, items, minLength, maxLength, minimum, maximum }: Property): string {
  if (words !== undefined) return `one of ${words.join(", ")}`;
  if (items?.enum !== undefined) return `an array of any of ${items.enum.join(", ")}`;
  if (type === "integer") return `an integer from ${minimum} to ${maximum}`;
  return `a string of ${minLength ?? 0} to ${maxLength} characters`;
}
