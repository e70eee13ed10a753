/** @module The frontmatter of a page: YAML between two lines of three hyphens. */
import { parseDocument } from "yaml";
import { z } from "zod";
import { quote, stripControl } from "../../config/format/untrusted-text.ts";

const LONGEST_TITLE = 80;
const LONGEST_DESCRIPTION = 160;
const LONGEST_GROUP = 40;

function line(longest: number) {
  const error = `must be a text of 1 to ${longest} characters on one line`;
  return z
    .string({ error })
    .refine((text) => text.trim() !== "" && [...text].length <= longest, { error })
    .refine((text) => stripControl(text, { keepLineFeeds: false }) === text, {
      error: "must hold no line break and no control or bidirectional character",
    });
}

const schema = z.strictObject(
  {
    title: line(LONGEST_TITLE),
    description: line(LONGEST_DESCRIPTION),
    order: z.int({ error: "must be an integer: the page's place among the others" }),
    updated: z.iso.date({ error: "must be a date in the form 2026-01-31" }),
    /** the heading over the page in the index; pages without one come last */
    group: line(LONGEST_GROUP).optional(),
  },
  {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `has ${issue.keys.map((key) => quote(key)).join(", ")}, which it does not know (it knows title, description, order, updated and group)`
        : "must have title, description, order and updated, each on its line",
  },
);

export type Frontmatter = z.infer<typeof schema>;

export type Split = {
  /** null when invalid */
  frontmatter: Frontmatter | null;
  /** the text below it, without surrounding blank lines */
  body: string;
  problems: readonly string[];
};

const FENCED = /^---\n([\s\S]*?)(?<=\n)---(?:\n|$)/;

export function splitFrontmatter(source: string): Split {
  const found = FENCED.exec(source);
  if (found === null) {
    const problem =
      "must begin with frontmatter: a line ---, then title, description, order and updated, then a line ---";
    return { frontmatter: null, body: source.trim(), problems: [problem] };
  }
  const [fenced, yaml = ""] = found;
  const body = source.slice(fenced.length).trim();
  const document = parseDocument(yaml, { prettyErrors: false });
  const [error] = document.errors;
  if (error) {
    return { frontmatter: null, body, problems: [`frontmatter is not YAML: ${quote(error.message)}`] };
  }
  const parsed = schema.safeParse(toPlain(() => document.toJS({ maxAliasCount: 0 })));
  if (parsed.success) return { frontmatter: parsed.data, body, problems: [] };
  const problems = parsed.error.issues.map(({ path, message }) =>
    ["frontmatter", ...path.map(String), message].join(" "),
  );
  return { frontmatter: null, body, problems };
}

/** The parser throws on aliases, which are not allowed. */
function toPlain(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Writes frontmatter. Every JSON string is a YAML string. */
export function frontmatter(fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return ["---", ...lines, "---", ""].join("\n");
}
