/**
 * Fields of a query: what a caller can filter by, apart from the syntax in which a face carries the values.
 * @module
 */
import { z } from "zod";
import { quote } from "../../format/untrusted-text.ts";

export type QueryField<Schema extends z.ZodType = z.ZodType> = {
  /** of the value as JSON has it; reads it into what the query takes */
  schema: Schema;
  /** the values, or a form in words: for an error's text */
  allowed: readonly string[];
  /** a sentence without its full stop */
  description: string;
  /** as JSON has it */
  example?: unknown;
};

/** How many items a page has when the caller does not say, and at most; a tool's page is shorter. */
export const PAGE_LENGTH = 50;
export const LONGEST_PAGE = 200;

type About = Pick<QueryField, "description" | "example">;

/** Some of these words. */
export function wordsField<const Word extends string>(words: readonly Word[], about: About) {
  return { schema: z.array(z.enum(words)), allowed: words, ...about };
}

/** Whether a filter by words lets this one through. Without any word it does not filter. */
export function isAmong<Word extends string>(words: readonly Word[] | undefined, word: Word): boolean {
  return words === undefined || words.length === 0 || words.includes(word);
}

/** One of these words. */
export function wordField<const Word extends string>(words: readonly Word[], about: About) {
  return { schema: z.enum(words), allowed: words, ...about };
}

/** A whole number from `least` to `most`. */
export function integerField(least: number, most: number, about: About) {
  const schema = z.int().min(least).max(most);
  return { schema, allowed: [`an integer from ${least} to ${most}`], ...about };
}

/** The number of a text of decimal digits; not a number for any other text. */
export function wholeNumber(text: string): number {
  return /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
}

/** A text that `parse` reads; null from it means that the text is not of the form. */
export function textField<Value>(parse: (text: string) => Value | null, form: string, about: About) {
  const schema = z.string().transform((text, context) => {
    const value = parse(text);
    if (value !== null) return value;
    context.addIssue({ code: "custom", message: `not ${form}` });
    return z.NEVER;
  });
  return { schema, allowed: [form], ...about };
}

/** The length of a page: `most` at most, and `fallback` when the caller does not say; null for all items. */
export function limitField(most: number, fallback: number | null) {
  return integerField(1, most, {
    description: `Page length, 1 to ${most}; ${fallback ?? "all items"} when not given`,
    example: fallback ?? 20,
  });
}

/** Why a value is refused, in words, and what is allowed. */
export type Refusal = { detail: string; allowed: readonly string[] };

/**
 * Reads what is given for a field.
 * @param sent as the caller sent it, for the refusal; of several words it names those that are not allowed, up to five
 */
export function readField<Schema extends z.ZodType>(
  { schema, allowed }: QueryField<Schema>,
  given: unknown,
  sent = given,
): { value: z.output<Schema> } | { refusal: Refusal } {
  const read = schema.safeParse(given);
  if (read.success) return { value: read.data };
  const places = read.error.issues.flatMap(({ path: [at] }) => (typeof at === "number" ? [at] : []));
  const wrong = Array.isArray(given) && places.length > 0 ? places.map((at) => given[at]) : [sent];
  return { refusal: { detail: `${wrong.slice(0, 5).map(quote).join(", ")} is not allowed`, allowed } };
}

/** The values of some fields, by their names. What is not given is left out. */
export type FieldValues<Fields extends Record<string, QueryField>> = {
  [Name in keyof Fields]?: Readonly<z.output<Fields[Name]["schema"]>> | undefined;
};

export type RefusedField = Refusal & { name: string };

/** Reads what is given for some fields, where null is the same as nothing. All that is wrong is said at once. */
export function readFields<Fields extends Record<string, QueryField>>(
  fields: Fields,
  given: Readonly<Partial<Record<keyof Fields, unknown>>>,
): { values: FieldValues<Fields>; refused: readonly RefusedField[] } {
  const values: FieldValues<Fields> = {};
  const refused: RefusedField[] = [];
  for (const [name, field] of Object.entries(fields) as [keyof Fields & string, Fields[keyof Fields]][]) {
    const one = given[name] ?? undefined;
    if (one === undefined) continue;
    const read = readField(field, one);
    if ("refusal" in read) refused.push({ name, ...read.refusal });
    else values[name] = read.value as FieldValues<Fields>[typeof name];
  }
  return { values, refused };
}
