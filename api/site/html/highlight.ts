/** @module Colours for code, as tokens. The text stays the same, character by character. */

type TokenKind = "key" | "string" | "number" | "word" | "comment";
export type Token = { kind: TokenKind | null; text: string };

type Rules = readonly (readonly [kind: TokenKind, pattern: RegExp])[];

const DOUBLE = /"(?:\\.|[^"\\\n])*"/;
const SINGLE = /'(?:\\.|[^'\\])*'/;
const NUMBER = /(?<![\w.])-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?\b/;
const HASH_COMMENT = /(?<=^|\s)#[^\n]*/;

const words = (...all: readonly string[]) => new RegExp(`(?<![\\w.$-])(?:${all.join("|")})(?![\\w-])`);

const JSON_RULES: Rules = [
  ["key", /"(?:\\.|[^"\\\n])*"(?=\s*:)/],
  ["string", DOUBLE],
  ["number", NUMBER],
  ["word", words("true", "false", "null")],
];

/** By the language of a snippet. Any other stays plain. */
const LANGUAGES: Readonly<Record<string, Rules>> = {
  json: JSON_RULES,
  bash: [
    ["comment", HASH_COMMENT],
    ["string", SINGLE],
    ["string", DOUBLE],
    ["word", words("curl", "npm", "npx", "node")],
    ["key", /(?<=\s)--?[A-Za-z][\w-]*/],
  ],
  ts: [
    ["comment", /\/\/[^\n]*/],
    ["string", DOUBLE],
    ["string", /`[^`]*`/],
    [
      "word",
      words(
        "import",
        "from",
        "export",
        "default",
        "const",
        "let",
        "new",
        "for",
        "of",
        "await",
        "try",
        "catch",
        "throw",
        "if",
        "return",
        "instanceof",
        "break",
        "async",
        "function",
        "true",
        "false",
        "null",
      ),
    ],
    ["number", NUMBER],
    ["key", /[A-Za-z_$][\w$]*(?=:\s)/],
  ],
  python: [
    ["comment", HASH_COMMENT],
    ["string", /r?"""[\s\S]*?"""/],
    ["string", /b?"(?:\\.|[^"\\\n])*"/],
    [
      "word",
      words(
        "import",
        "from",
        "with",
        "as",
        "for",
        "in",
        "if",
        "break",
        "print",
        "return",
        "True",
        "False",
        "None",
      ),
    ],
    ["number", NUMBER],
    ["key", /\b[A-Za-z_]\w*(?==[^=])/],
  ],
  graphql: [
    ["comment", HASH_COMMENT],
    ["string", DOUBLE],
    ["word", words("query", "fragment", "on", "true", "false", "null")],
    ["word", /\$\w+/],
    ["number", NUMBER],
    ["key", /[A-Za-z_]\w*(?=:)/],
  ],
};

/** @param language as snippets name it, such as `json` */
export function tokensOf(language: string, text: string): Token[] {
  const rules = LANGUAGES[language === "sh" ? "bash" : language];
  if (rules === undefined) return [{ kind: null, text }];
  const pattern = new RegExp(rules.map(([, { source }]) => `(${source})`).join("|"), "gm");
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const rule = rules[match.slice(1).findIndex((group) => group !== undefined)];
    if (match.index > end) tokens.push({ kind: null, text: text.slice(end, match.index) });
    tokens.push({ kind: rule?.[0] ?? null, text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) tokens.push({ kind: null, text: text.slice(end) });
  return tokens;
}
