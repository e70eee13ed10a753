/** @module Fields of a query, independent of each face's syntax. */
import { z } from "zod";
import { BLOCK_OR_TIME_FORM, parseBlockOrTime } from "../../config/format/time.ts";
import { quote } from "../../config/format/untrusted-text.ts";

export type QueryField<Schema extends z.ZodType = z.ZodType> = {
  /** reads the JSON value into the query's */
  schema: Schema;
  /** for the text of an error: the values, or a form in words */
  allowed: readonly string[];
  /** a sentence without its full stop */
  description: string;
  example?: unknown;
};

/** The default and the largest length of a page; pages of tools are shorter. */
export const PAGE_LENGTH = 50;
export const LONGEST_PAGE = 200;

type About = Pick<QueryField, "description" | "example">;

export function wordsField<const Word extends string>(words: readonly Word[], about: About) {
  return { schema: z.array(z.enum(words)), allowed: words, ...about };
}

/** Whether a filter by words accepts this one. An empty filter accepts every word. */
export function isAmong<Word extends string>(words: readonly Word[] | undefined, word: Word): boolean {
  return words === undefined || words.length === 0 || words.includes(word);
}

export function wordField<const Word extends string>(words: readonly Word[], about: About) {
  return { schema: z.enum(words), allowed: words, ...about };
}

export function integerField(least: number, most: number, about: About) {
  const schema = z.int().min(least).max(most);
  return { schema, allowed: [`an integer from ${least} to ${most}`], ...about };
}

/** How far below the last indexed block an answer is. */
export const CONFIRMATIONS = integerField(0, 10_000, {
  description: "State that many blocks below the head, i.e. what survives a reorg of that depth",
  example: 15,
});

/** Reads decimal digits; NaN for any other text. */
export function wholeNumber(text: string): number {
  return /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
}

/** A text read by `parse`, which returns null for malformed text. */
export function textField<Value>(parse: (text: string) => Value | null, form: string, about: About) {
  const schema = z.string().transform((text, context) => {
    const value = parse(text);
    if (value !== null) return value;
    context.addIssue({ code: "custom", message: `not ${form}` });
    return z.NEVER;
  });
  return { schema, allowed: [form], ...about };
}

/** A block number or a time. */
export function blockOrTimeField(about: About) {
  return textField(parseBlockOrTime, BLOCK_OR_TIME_FORM, about);
}

/** The length of a page: `most` at most, `fallback` by default; a null `fallback` means all items. */
export function limitField(most: number, fallback: number | null) {
  return integerField(1, most, {
    description: `Page length, 1 to ${most}; ${fallback ?? "all items"} by default`,
    example: fallback ?? 20,
  });
}

/** Longer lists of words are left to `allowed`: an error's text is read by people. */
const MOST_WORDS = 40;

function allowedText(allowed: readonly string[]): string {
  return allowed.length > MOST_WORDS
    ? `one of the ${allowed.length} words in \`allowed\``
    : allowed.join(", ");
}

/** The refusal of a value; `detail` has the reason and the allowed values. */
export type Refusal = { detail: string; allowed: readonly string[] };

/** @param sent the value as written, quoted in a refusal; of a list only the items at fault are quoted, up to five */
export function readField<Schema extends z.ZodType>(
  field: QueryField<Schema>,
  given: unknown,
  sent = given,
): { value: z.output<Schema> } | { refusal: Refusal } {
  const read = field.schema.safeParse(given);
  if (read.success) return { value: read.data };
  const isEmpty = Array.isArray(given) && given.length === 0;
  const allowed = isEmpty ? ["one word or more"] : field.allowed;
  const places = read.error.issues.flatMap(({ path: [at] }) => (typeof at === "number" ? [at] : []));
  const wrong = Array.isArray(given) && places.length > 0 ? places.map((at) => given[at]) : [sent];
  const quoted = wrong.slice(0, 5).map(quote).join(", ");
  return { refusal: { detail: `${quoted} is not allowed. Allowed: ${allowedText(allowed)}`, allowed } };
}

/** The values of fields by name; a field that is not given is left out. */
export type FieldValues<Fields extends Record<string, QueryField>> = {
  [Name in keyof Fields]?: Readonly<z.output<Fields[Name]["schema"]>> | undefined;
};

export type RefusedField = Refusal & { name: string };

/** Reads the values given for fields, where null counts as not given. Reports every refusal, not just the first. */
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
