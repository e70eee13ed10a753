/**
 * Response headers as OpenAPI describes them: each once, as a component that answers refer to. `required` means that the
 * answer always has it.
 * @module
 */

const text = { type: "string" } as const;
const DIGITS = { type: "string", pattern: "^[0-9]+$" } as const;

const etag = {
  name: "ETag",
  description: "Weak tag of the body, the same for every content coding. Unchanged while the body is.",
  schema: { type: "string", pattern: '^W/".+"$' },
} as const;
const indexedBlock = {
  name: "X-Indexed-Block",
  description: "Number of the last indexed block: the answer is as of it.",
  schema: DIGITS,
} as const;
const indexedAt = {
  name: "X-Indexed-At",
  description: "Time of the last indexed block.",
  schema: { type: "string", format: "date-time" },
} as const;
const vary = {
  name: "Vary",
  description: "Which headers of the request the answer depends on.",
  schema: { type: "string", pattern: "Accept" },
} as const;

const robots = {
  name: "X-Robots-Tag",
  description: "A search engine should list a page at its canonical address alone, and an error nowhere.",
  schema: { type: "string", const: "noindex" },
} as const;
const pageLinks = {
  name: "Link",
  description: "Where the discovery files and the other forms of this page are (RFC 8288).",
  schema: text,
} as const;

/** By component name. Several components can describe the same header, for different kinds of answers. */
const HEADERS = {
  RequestId: {
    name: "X-Request-Id",
    description:
      "Names this request, for questions about it. What the client sent under this name, if it did.",
    schema: text,
  },
  ETag: etag,
  ETagSometimes: { ...etag, required: false },
  IndexedBlock: indexedBlock,
  IndexedBlockSometimes: { ...indexedBlock, required: false },
  IndexedAt: indexedAt,
  IndexedAtSometimes: { ...indexedAt, required: false },
  NextPage: {
    name: "Link",
    description: 'The next page as an absolute URL, `<…>; rel="next"`. Only when there is one.',
    schema: { type: "string", pattern: 'rel="next"' },
    required: false,
  },
  PageLinks: pageLinks,
  PageLinksSometimes: { ...pageLinks, required: false },
  MarkdownTokens: {
    name: "X-Markdown-Tokens",
    description: "About how many tokens a model reads the body as. Only of Markdown.",
    schema: DIGITS,
    required: false,
  },
  Robots: robots,
  RobotsSometimes: { ...robots, required: false },
  Location: {
    name: "Location",
    description: "Where the page is.",
    schema: text,
  },
  CacheMoment: {
    name: "Cache-Control",
    description: "May be kept for a second: a block may come any moment.",
    schema: { type: "string", const: "public, max-age=1" },
  },
  CacheAsking: {
    name: "Cache-Control",
    description: "May be kept, and has to be asked for again each time: most often a 304.",
    schema: { type: "string", const: "no-cache" },
  },
  CacheMinute: {
    name: "Cache-Control",
    description: "May be kept for a minute: it changes with the service and its state.",
    schema: { type: "string", const: "public, max-age=60" },
  },
  CacheHour: {
    name: "Cache-Control",
    description: "May be kept for an hour: it changes only with the service.",
    schema: { type: "string", const: "public, max-age=3600" },
  },
  CacheNever: {
    name: "Cache-Control",
    description: "Not to be kept: it is true only now.",
    schema: { type: "string", const: "no-store" },
  },
  CacheSometimes: {
    name: "Cache-Control",
    description:
      "May be kept for a second when it answers a query whole, for a minute when it is the page, for an hour when it is the description.",
    schema: { type: "string", pattern: "^(public, max-age=(1|60|3600)|no-store)$" },
  },
  Vary: vary,
  VarySometimes: { ...vary, required: false },
  RetryAfter: {
    name: "Retry-After",
    description: "Seconds after which to ask again.",
    schema: DIGITS,
  },
  Allow: {
    name: "Allow",
    description: "The methods that this path takes.",
    schema: text,
  },
  Attachment: {
    name: "Content-Disposition",
    description: "A file to save, with its name.",
    schema: { type: "string", pattern: "^attachment; filename=" },
  },
} as const;

export type HeaderComponent = keyof typeof HEADERS;

/** The entries of `components/headers`. */
export const HEADER_COMPONENTS = Object.entries(HEADERS).map(([component, { name: _, ...header }]) => ({
  component,
  header: { required: true, ...header },
}));

/** The headers of an answer, by header name. */
export function headersOf(...components: readonly HeaderComponent[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    components.map((component) => [HEADERS[component].name, { $ref: `#/components/headers/${component}` }]),
  );
}
