/**
 * How a path reads its query: one zod object says which parameters there are, what they may be, and how OpenAPI
 * describes them. All that is wrong is said at once.
 * @module
 */
import { z } from "@hono/zod-openapi";
import { MOMENT_FORM, parseMoment } from "../market/moment.ts";
import { quote } from "../untrusted-text.ts";
import type { ParameterError } from "./problem.ts";

type About = { description: string; example?: string };
/** What OpenAPI says of the value beside that. */
type Form = { type: "string"; enum?: string[] } | { type: "integer"; minimum: number; maximum: number };

type Issue = { code: "custom"; message: string; params: { allowed: readonly string[] } };

/** What is wrong with a parameter's text, and what is allowed. */
function refuse(context: z.RefinementCtx, message: string, allowed: readonly string[]): never {
  context.addIssue({ code: "custom", message, params: { allowed } } satisfies Issue);
  return z.NEVER;
}

/** A parameter that is read by `parse`; null from it means that the text is not of that form. */
export function parameter<Value>(
  parse: (text: string) => Value | null,
  allowed: readonly string[],
  { description, example }: About,
  form: Form = { type: "string" },
) {
  const sample = form.type === "integer" && example !== undefined ? Number(example) : example;
  return z
    .string()
    .transform((text, context) => parse(text) ?? refuse(context, `${quote(text)} is not allowed`, allowed))
    .optional()
    .openapi({ ...form, description, ...(sample === undefined ? {} : { example: sample }) });
}

/** One of some words. */
export function wordParameter<const Word extends string>(words: readonly Word[], about: About) {
  const form: Form = { type: "string", enum: [...words] };
  return parameter((text) => words.find((word) => word === text) ?? null, words, about, form);
}

/** Some of some words, with commas between them. */
export function listParameter<const Word extends string>(
  words: readonly Word[],
  { description, example }: About,
) {
  return z
    .string()
    .transform((text, context): ReadonlySet<Word> => {
      const items = text.split(",");
      const unknown = items.filter((item) => !words.some((word) => word === item));
      if (unknown.length > 0) {
        return refuse(context, `${unknown.slice(0, 5).map(quote).join(", ")} is not allowed`, words);
      }
      return new Set(items as Word[]);
    })
    .optional()
    .openapi({
      type: "array",
      items: { type: "string", enum: [...words] },
      description: `${description} Several with commas between.`,
      ...(example === undefined ? {} : { example: example.split(",") }),
      param: { style: "form", explode: false },
    });
}

/** A whole number from `least` to `most`. */
export function integerParameter(least: number, most: number, about: About) {
  return parameter(
    (text) => {
      const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
      return value >= least && value <= most ? value : null;
    },
    [`an integer from ${least} to ${most}`],
    about,
    { type: "integer", minimum: least, maximum: most },
  );
}

/** How many items a page has; without it `fallback`, or all when that is null. */
export function limitParameter(fallback: number | null, most: number) {
  const otherwise = fallback === null ? "all of them" : `${fallback}`;
  return integerParameter(1, most, {
    description: `How many at most, 1 to ${most}; ${otherwise} when not given.`,
    example: String(fallback ?? 20),
  });
}

/** A block number or a time. */
export function momentParameter(description: string) {
  return parameter(parseMoment, [MOMENT_FORM], {
    description: `${description} A block number, or a time in ISO 8601.`,
    example: "2026-03-01T12:00:00Z",
  });
}

/** More than any honest query gets wrong: a long one of nonsense must not make a far longer answer. */
const MOST_ERRORS = 20;

export type ReadParameters<Values> =
  | { values: Values }
  | { problem: { detail: string; errors: ParameterError[] } };

/** Reads the query of a URL. Every parameter that is unknown, given twice or not allowed is in the problem, up to 20. */
export function readParameters<Shape extends z.ZodObject>(
  url: string,
  shape: Shape,
): ReadParameters<z.output<Shape>> {
  const names = Object.keys(shape.shape);
  const query = new URL(url).searchParams;
  const errors: ParameterError[] = [];
  // A map, not an object: a caller may name a parameter "__proto__".
  const given = new Map<string, string>();
  for (const name of new Set(query.keys())) {
    const [text = "", ...more] = query.getAll(name);
    if (!names.includes(name)) {
      errors.push({ parameter: shown(name), detail: "There is no such parameter.", allowed: names });
    } else if (more.length > 0) {
      errors.push({ parameter: name, detail: "It is given more than once.", allowed: ["one value"] });
    } else given.set(name, text);
  }
  const parsed = shape.safeParse(Object.fromEntries(given));
  for (const issue of parsed.error?.issues ?? []) {
    const allowed = "params" in issue ? (issue as unknown as Issue).params.allowed : [];
    errors.push({ parameter: String(issue.path[0]), detail: `${issue.message}.`, allowed: [...allowed] });
  }
  if (parsed.success && errors.length === 0) return { values: parsed.data };
  return { problem: { detail: detailOf(errors, names), errors: errors.slice(0, MOST_ERRORS) } };
}

/** A name of the caller's, made as safe as a quoted one; any name of ours stays as it is. */
function shown(name: string): string {
  return quote(name).slice(1, -1);
}

function detailOf(errors: readonly ParameterError[], names: readonly string[]): string {
  const wrong = errors.slice(0, 5).map(({ parameter, detail }) => `"${parameter}": ${detail}`);
  const takes = names.length === 0 ? "takes no parameters" : `takes ${names.join(", ")}`;
  return `${wrong.join(" ")} This path ${takes}.`;
}
