/** @module Faults of the port, of PUBLIC_URL, and of the proxy and the cache between the two. */
import type { IncomingMessage } from "node:http";
import { createApp } from "../../../api/app.ts";
import { dependenciesIn } from "../app.ts";
import { freePort } from "../free-port.ts";
import { serve } from "../serve.ts";
import { serveApp } from "../serve-app.ts";
import type { Fault } from "./fault.ts";
import type { ProxyFault, SetUp, Upstreamed } from "./set-up.ts";

/** A proxy that does this instead of passing requests on. */
const proxy = (fault: ProxyFault) => async (setUp: SetUp, onEnd: (end: () => unknown) => void) => {
  setUp.proxy.fault = fault;
  onEnd(() => {
    setUp.proxy.fault = null;
  });
  return {};
};

/** Answers that are changed on their way. */
const changing = (change: (answer: Upstreamed, path: string) => void) =>
  proxy(async ({ url = "" }, pass) => {
    const answer = await pass({ headers: { "accept-encoding": "identity" } });
    change(answer, url);
    return answer;
  });

type Keyed = { method?: string; keyOf?: (request: IncomingMessage) => string };

/** A cache that returns its first answer to every client: by path and query, or another key. */
function keeping(
  isKept: (path: string) => boolean,
  { method = "GET", keyOf = ({ url = "" }) => url }: Keyed = {},
): ProxyFault {
  const kept = new Map<string, Upstreamed>();
  return async (request, pass) => {
    if (request.method !== method || !isKept(request.url ?? "")) return undefined;
    const key = keyOf(request);
    const answer = kept.get(key) ?? (await pass());
    if (answer.status === 200) kept.set(key, answer);
    return answer;
  };
}

const withoutQuery = (path: string) => path.replace(/\?.*/, "");

const answering = (status: number, headers = {}, body = "") =>
  proxy(async () => ({ status, headers, body: Buffer.from(body) }));

/** A correct cache key, without the query. */
const keyWithoutQuery = ({ url = "", headers }: IncomingMessage) =>
  [withoutQuery(url), headers["accept-encoding"], headers["if-none-match"]].join(" ");

export const PUBLIC_FAULTS: readonly Fault[] = [
  {
    name: "something else on the port",
    seed: async (_setUp, onEnd) => {
      const other = await serve((_, response) => response.end("hello"));
      onEnd(other.stop);
      return { env: { PORT: String(other.port) } };
    },
    finds: [["problem", "PORT", /something is already listening on/, /Stop what listens there/]],
  },
  {
    name: "something else on the operator's port, before the first start",
    seed: async (_, onEnd) => {
      const other = await serve((_request, response) => response.end("hello"));
      onEnd(other.stop);
      return { env: { PORT: String(await freePort()), OPERATOR_PORT: String(other.port) } };
    },
    finds: [
      ["problem", "OPERATOR_PORT", /something is already listening on/, /OPERATOR_PORT to another port/],
    ],
  },
  {
    name: "a service that has refused its registry, and whose RPC is silent",
    seed: async ({ env, proxy: { url } }, onEnd) => {
      const registry = { status: "refused", problem: "listings[0].title: is missing" } as const;
      const situation = { publicUrl: url, registry, secondsSinceSeen: 90 };
      const app = await serveApp(createApp(await dependenciesIn(situation)));
      onEnd(app.close);
      return { env: { ...env, PORT: String(app.port) } };
    },
    finds: [
      [
        "warning",
        "REGISTRY",
        /has been refused by the running service.*title: is missing/,
        /Fix the document/,
      ],
      ["warning", null, /^The running service is degraded: node_silent$/, /^Check the RPC endpoints/],
    ],
  },
  {
    name: "a service that is degraded",
    seed: async ({ env, proxy: { url } }, onEnd) => {
      const app = await serveApp(createApp(await dependenciesIn({ publicUrl: url, secondsSinceSeen: 90 })));
      onEnd(app.close);
      return { env: { ...env, PORT: String(app.port) } };
    },
    finds: [["warning", null, /^The running service is degraded: node_silent$/, /^Check the RPC endpoints/]],
  },
  {
    name: "nothing at PUBLIC_URL",
    seed: async () => {
      const port = await freePort();
      return { env: { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` } };
    },
    finds: [["warning", "PUBLIC_URL", /^does not answer \(ECONNREFUSED\)/, /Start the service/]],
  },
  {
    name: "a proxy that reaches nothing",
    seed: answering(502),
    finds: [
      ["warning", "PUBLIC_URL", /^is a proxy that reaches no service \(502\)/, /pass requests on to http/],
    ],
  },
  {
    name: "another site",
    seed: answering(200, { "content-type": "text/html" }, "<h1>hello</h1>"),
    finds: [["problem", "PUBLIC_URL", /^is something else than this service/, /pass all paths on/]],
  },
  {
    name: "a redirect to another name",
    seed: answering(301, { location: "https://www.raises.example/v1/health" }),
    finds: [
      [
        "problem",
        "PUBLIC_URL",
        /^redirects \/v1\/health to https:\/\/www\.raises\.example/,
        /Set it to where it leads/,
      ],
    ],
    proposes: () => ({ PUBLIC_URL: "https://www.raises.example" }),
  },
  {
    name: "a proxy to another service",
    seed: changing((answer, path) => {
      if (path === "/v1/health") answer.body = Buffer.from(`${answer.body}`.replace('"9f86', '"0f86'));
      delete answer.headers["content-length"];
    }),
    finds: [["problem", "PUBLIC_URL", /^leads to another service.*\(registry\)/, /pass requests on to http/]],
  },
  {
    name: "a service that was started with another PUBLIC_URL",
    seed: changing((answer, path) => {
      if (path === "/sitemap.txt") answer.body = Buffer.from("https://old.example/\n");
      delete answer.headers["content-length"];
    }),
    finds: [
      [
        "problem",
        "PUBLIC_URL",
        /^is not what the service there calls itself, .*old\.example/,
        /Start the service again/,
      ],
    ],
    proposes: () => ({ PUBLIC_URL: "https://old.example" }),
  },
  {
    name: "a proxy that takes out headers",
    seed: changing((answer) => {
      delete answer.headers["x-indexed-block"];
      delete answer.headers.vary;
    }),
    finds: [["warning", "PUBLIC_URL", /takes out Vary, X-Indexed-Block/, /pass all headers/]],
  },
  {
    name: "a cache that gives each client the same form of a page",
    seed: proxy(keeping((path) => path === "/")),
    finds: [["warning", "PUBLIC_URL", /ignores Vary: Accept$/, /honour Vary/]],
  },
  {
    name: "a cache that gives the same answer whatever the query",
    seed: proxy(keeping((path) => path.startsWith("/v1/originators"), { keyOf: keyWithoutQuery })),
    finds: [["warning", "PUBLIC_URL", /^ignores the query of a URL/, /\$request_uri/]],
  },
  {
    name: "a proxy that takes the query off",
    seed: proxy(async (request, pass) => {
      request.url = withoutQuery(request.url ?? "");
      return pass();
    }),
    finds: [["warning", "PUBLIC_URL", /^ignores the query of a URL/, /\$request_uri/]],
  },
  {
    name: "a cache that keeps answers to POST",
    seed: proxy(keeping((path) => path === "/mcp", { method: "POST" })),
    finds: [
      [
        "warning",
        "PUBLIC_URL",
        /^answers a POST with the answer to an earlier one/,
        /keep no answers to POST/,
      ],
    ],
  },
  {
    name: "a proxy that compresses for everybody",
    seed: proxy(({ url }, pass) =>
      url === "/v1/originators" ? pass({ headers: { "accept-encoding": "gzip" } }) : undefined,
    ),
    finds: [["warning", "PUBLIC_URL", /ignores Vary: Accept-Encoding/, /gzip off/]],
  },
  {
    name: "a proxy that asks without the client's tag",
    seed: proxy((_, pass) => pass({ headers: { "if-none-match": undefined } })),
    finds: [["warning", "PUBLIC_URL", /no answer is a 304/, /If-None-Match and ETag/]],
  },
  {
    name: "a cache with old answers",
    seed: changing((answer) => {
      answer.headers.age = "120";
    }),
    finds: [["warning", "PUBLIC_URL", /has kept for 120 s/, /max-age/]],
  },
  {
    name: "a cache that keeps what must not be kept",
    seed: async (setUp, onEnd) => {
      await proxy(keeping((path) => path === "/v1/health"))(setUp, onEnd);
      await fetch(`${setUp.proxy.url}/v1/health`);
      return {};
    },
    finds: [["warning", "PUBLIC_URL", /must not be kept/, /Cache-Control/]],
  },
  {
    name: "a proxy that loses some requests",
    seed: async (setUp, onEnd) => {
      const lost = proxy(({ method }) => (method === "POST" ? new Promise(() => {}) : undefined));
      await lost(setUp, onEnd);
      return { options: { timeout: 4_000 } };
    },
    finds: [["warning", "PUBLIC_URL", /^answers some requests and not others/, /log of the proxy/]],
  },
  {
    name: "a proxy that lets only GET through",
    seed: proxy(({ method }) =>
      method === "POST" ? Promise.resolve({ status: 405, headers: {}, body: Buffer.alloc(0) }) : undefined,
    ),
    finds: [["warning", "PUBLIC_URL", /^refuses POST with 405/, /pass POST on/]],
  },
  {
    name: "a rate limit behind a proxy that is not trusted",
    seed: async () => ({ env: { RATE_LIMIT: "500" } }),
    finds: [["warning", "RATE_LIMIT", /^counts all clients as one/, /^Set TRUSTED_PROXIES to the address/]],
  },
  {
    name: "a rate limit behind a proxy of this machine, with others in TRUSTED_PROXIES",
    seed: async () => ({ env: { RATE_LIMIT: "500", TRUSTED_PROXIES: "10.0.0.1" } }),
    finds: [["warning", "RATE_LIMIT", /^counts all clients as one/, /^Set TRUSTED_PROXIES to the address/]],
  },
  {
    name: "a proxy that believes the client's X-Forwarded-For",
    seed: async (setUp, onEnd) => {
      const { url } = setUp.proxy;
      const limits = { rateLimit: { perMinute: 500, trustedProxies: ["127.0.0.2"] } };
      const app = await serveApp(createApp(await dependenciesIn({ publicUrl: url })), limits);
      onEnd(app.close);
      await proxy((_, pass) => pass({ from: "127.0.0.2" }))(setUp, onEnd);
      const before = setUp.proxy.upstream;
      setUp.proxy.upstream = app.port;
      onEnd(() => {
        setUp.proxy.upstream = before;
      });
      return { env: { PORT: String(app.port), RATE_LIMIT: "500", TRUSTED_PROXIES: "127.0.0.2" } };
    },
    finds: [
      [
        "problem",
        "TRUSTED_PROXIES",
        /^trusts the address that clients claim to have/,
        /at the end of X-Forwarded-For/,
      ],
    ],
  },
];
