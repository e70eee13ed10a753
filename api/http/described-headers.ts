/** @module Response headers in OpenAPI, each a component that answers refer to. `required`: the answer always has it. */

type Header = {
  name: string;
  description: string;
  schema: Readonly<Record<string, string>>;
  required?: false;
};

const TEXT = { type: "string" };
const DIGITS = { type: "string", pattern: "^[0-9]+$" };
const like = (pattern: string) => ({ type: "string", pattern });
const header = (name: string, description: string, schema: Header["schema"] = TEXT): Header => ({
  name,
  description,
  schema,
});
const cache = (description: string, value: string) =>
  header("Cache-Control", description, { type: "string", const: value });
const sometimes = (one: Header): Header => ({ ...one, required: false });

const etag = header(
  "ETag",
  "Weak tag of the body, the same for every content coding. Unchanged while the body is.",
  like('^W/".+"$'),
);
const indexedBlock = header(
  "X-Indexed-Block",
  "Number of the last indexed block. An answer refers to it, unless `asOf` or `confirmations` name another. Lower than in an answer before: after a reorganisation, or from another server that is a block behind.",
  DIGITS,
);
const indexedAt = header("X-Indexed-At", "Time of the last indexed block.", {
  type: "string",
  format: "date-time",
});
const vary = header("Vary", "Request headers that the answer depends on.", like("Accept"));
const robots = header(
  "X-Robots-Tag",
  "Search engines should list a page at its canonical address alone, and no errors.",
  { type: "string", const: "noindex" },
);
const pageLinks = header(
  "Link",
  "Links to the discovery files and to the other forms of this page (RFC 8288).",
);

/** By component name. Several components can describe the same header, for different kinds of answers. */
const HEADERS = {
  RequestId: header(
    "X-Request-Id",
    "Identifies this request, for questions about it. The client's own value, if it sent one.",
  ),
  ETag: etag,
  ETagSometimes: sometimes(etag),
  StrongETag: header("ETag", "Strong tag of the file, which is part of its name.", like('^"[0-9a-f]+"$')),
  AcceptRanges: header("Accept-Ranges", "Ranges of bytes can be asked for.", {
    type: "string",
    const: "bytes",
  }),
  ContentRange: header(
    "Content-Range",
    "The bytes of the answer and the size of the file; `bytes */<size>` where there are none.",
    like("^bytes ([0-9]+-[0-9]+|\\*)/[0-9]+$"),
  ),
  IndexedBlock: indexedBlock,
  IndexedBlockSometimes: sometimes(indexedBlock),
  IndexedAt: indexedAt,
  IndexedEvent: sometimes(
    header(
      "X-Indexed-Event",
      "Id of the newest event that the answer is made with, as `/stream` has it; `0` before the first. With the same id two answers are of the same chain. Not in answers about the past.",
      like("^(0|[0-9]+-[0-9]+(\\.[0-9]+)?-[0-9a-f]{8})$"),
    ),
  ),
  IndexedAtSometimes: sometimes(indexedAt),
  NextPage: sometimes(
    header(
      "Link",
      'The next page as an absolute URL, `<…>; rel="next"`. Only when there is one.',
      like('rel="next"'),
    ),
  ),
  PageLinks: pageLinks,
  PageLinksSometimes: sometimes(pageLinks),
  MarkdownTokens: sometimes(
    header("X-Markdown-Tokens", "Estimated number of tokens of the body. Markdown only.", DIGITS),
  ),
  Robots: robots,
  RobotsSometimes: sometimes(robots),
  Location: header("Location", "Address of the page."),
  CacheMoment: cache("Cacheable for a second: the next block can come at any time.", "public, max-age=1"),
  CacheAsking: cache("Cacheable, but revalidated each time; the answer is most often a 304.", "no-cache"),
  CacheMinute: cache(
    "Cacheable for a minute: it changes with the service and its state.",
    "public, max-age=60",
  ),
  CacheHour: header(
    "Cache-Control",
    "Cacheable for an hour: it changes only with a release or the configuration. Of a skill: as the very bytes that are sent.",
    like("^public, max-age=3600(, no-transform)?$"),
  ),
  CacheForGood: cache(
    "Cacheable for good: another version has another path.",
    "public, max-age=31536000, immutable",
  ),
  CacheNever: cache("Not cacheable: it is true only now.", "no-store"),
  NotBuffered: header("X-Accel-Buffering", "Asks proxies to pass on each piece at once.", {
    type: "string",
    const: "no",
  }),
  CacheSometimes: header(
    "Cache-Control",
    "Cacheable for a second as a complete answer to a query, for a minute as the page, for an hour as the description.",
    like("^(public, max-age=(1|60|3600)|no-store)$"),
  ),
  Vary: vary,
  VarySometimes: sometimes(vary),
  RetryAfter: header("Retry-After", "Seconds to wait before asking again.", DIGITS),
  RateLimitPolicy: sometimes(
    header(
      "RateLimit-Policy",
      "The rate limit of a client: `q` requests in `w` seconds. In every answer where the operator limits clients.",
      like('^"client";q=[0-9]+;w=60$'),
    ),
  ),
  RateLimit: sometimes(
    header(
      "RateLimit",
      "Requests left (`r`), and seconds until all are back (`t`). In every answer where the operator limits clients.",
      like('^"client";r=[0-9]+;t=[0-9]+$'),
    ),
  ),
  Allow: header("Allow", "The methods of this path."),
  Attachment: header(
    "Content-Disposition",
    "A download, with its file name.",
    like("^attachment; filename="),
  ),
} as const;

export type HeaderComponent = keyof typeof HEADERS;

export const HEADER_COMPONENTS = Object.entries(HEADERS).map(([component, { name: _, ...header }]) => ({
  component,
  header: { required: true, ...header },
}));

export function headersOf(...components: readonly HeaderComponent[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    components.map((component) => [HEADERS[component].name, { $ref: `#/components/headers/${component}` }]),
  );
}
