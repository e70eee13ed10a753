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
  description:
    "Number of the last indexed block, to which the answer refers. Lower than in an answer before: after a reorganisation, or from another server that is a block behind.",
  schema: DIGITS,
} as const;
const indexedAt = {
  name: "X-Indexed-At",
  description: "Time of the last indexed block.",
  schema: { type: "string", format: "date-time" },
} as const;
const indexedEvent = {
  name: "X-Indexed-Event",
  description:
    "Id of the newest event that the answer is made with, as `/stream` has it; `0` before the first. With the same id two answers are of the same chain.",
  schema: { type: "string", pattern: "^(0|[0-9]+-[0-9]+-[0-9a-f]{8})$" },
  required: false,
} as const;
const vary = {
  name: "Vary",
  description: "Request headers that the answer depends on.",
  schema: { type: "string", pattern: "Accept" },
} as const;

const robots = {
  name: "X-Robots-Tag",
  description: "Search engines should list a page at its canonical address alone, and no errors.",
  schema: { type: "string", const: "noindex" },
} as const;
const pageLinks = {
  name: "Link",
  description: "Links to the discovery files and to the other forms of this page (RFC 8288).",
  schema: text,
} as const;

/** By component name. Several components can describe the same header, for different kinds of answers. */
const HEADERS = {
  RequestId: {
    name: "X-Request-Id",
    description: "Identifies this request, for questions about it. The client's own value, if it sent one.",
    schema: text,
  },
  ETag: etag,
  ETagSometimes: { ...etag, required: false },
  IndexedBlock: indexedBlock,
  IndexedBlockSometimes: { ...indexedBlock, required: false },
  IndexedAt: indexedAt,
  IndexedEvent: indexedEvent,
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
    description: "Estimated number of tokens of the body. Markdown only.",
    schema: DIGITS,
    required: false,
  },
  Robots: robots,
  RobotsSometimes: { ...robots, required: false },
  Location: {
    name: "Location",
    description: "Address of the page.",
    schema: text,
  },
  CacheMoment: {
    name: "Cache-Control",
    description: "Cacheable for a second: the next block can come at any time.",
    schema: { type: "string", const: "public, max-age=1" },
  },
  CacheAsking: {
    name: "Cache-Control",
    description: "Cacheable, but revalidated each time; the answer is most often a 304.",
    schema: { type: "string", const: "no-cache" },
  },
  CacheMinute: {
    name: "Cache-Control",
    description: "Cacheable for a minute: it changes with the service and its state.",
    schema: { type: "string", const: "public, max-age=60" },
  },
  CacheHour: {
    name: "Cache-Control",
    description: "Cacheable for an hour: it changes only with a release or the configuration.",
    schema: { type: "string", const: "public, max-age=3600" },
  },
  CacheForGood: {
    name: "Cache-Control",
    description: "Cacheable for good: another version has another path.",
    schema: { type: "string", const: "public, max-age=31536000, immutable" },
  },
  CacheNever: {
    name: "Cache-Control",
    description: "Not cacheable: it is true only now.",
    schema: { type: "string", const: "no-store" },
  },
  NotBuffered: {
    name: "X-Accel-Buffering",
    description: "Asks proxies to pass on each piece at once.",
    schema: { type: "string", const: "no" },
  },
  CacheSometimes: {
    name: "Cache-Control",
    description:
      "Cacheable for a second as a complete answer to a query, for a minute as the page, for an hour as the description.",
    schema: { type: "string", pattern: "^(public, max-age=(1|60|3600)|no-store)$" },
  },
  Vary: vary,
  VarySometimes: { ...vary, required: false },
  RetryAfter: {
    name: "Retry-After",
    description: "Seconds to wait before asking again.",
    schema: DIGITS,
  },
  RateLimitPolicy: {
    name: "RateLimit-Policy",
    description:
      "The rate limit of a client: `q` requests in `w` seconds. In every answer where the operator limits clients.",
    schema: { type: "string", pattern: '^"client";q=[0-9]+;w=60$' },
    required: false,
  },
  RateLimit: {
    name: "RateLimit",
    description:
      "Requests left (`r`), and seconds until all are back (`t`). In every answer where the operator limits clients.",
    schema: { type: "string", pattern: '^"client";r=[0-9]+;t=[0-9]+$' },
    required: false,
  },
  Allow: {
    name: "Allow",
    description: "The methods of this path.",
    schema: text,
  },
  Attachment: {
    name: "Content-Disposition",
    description: "A download, with its file name.",
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
