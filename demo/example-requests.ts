/** @module The requests behind the examples of the API description, by operation. */

/** The site and the app of the examples, on a reserved domain. */
export const PUBLIC_URL = "https://raises.example";
export const APP_URL = "https://app.raises.example";

/** Public ids of the demo's market. */
export type ExampleIds = {
  listing: string;
  originator: string;
  /** `<blockNumber>-<logIndex>` of an event without persons */
  event: string;
};

export type ExampleRequest = {
  operationId: string;
  /** from the site root */
  path: string;
  status: number;
  accept?: string;
  /** sent as JSON with POST */
  body?: unknown;
};

/** A parameter that no path has. */
const WRONG = "?colour=blue";
const TOTALS = encodeURIComponent("{ stats { raised repaid outstanding } }");

/** In the order of the file. */
export function exampleRequests({ listing, originator, event }: ExampleIds): ExampleRequest[] {
  const get = (operationId: string, path: string, status = 200) => ({ operationId, path, status });
  const csv = (operationId: string, path: string) => ({ ...get(operationId, path), accept: "text/csv" });
  return [
    get("listListings", "/v1/listings?status=live,funding&limit=1"),
    get("listListings", "/v1/listings?status=open", 400),
    { ...get("listListings", "/v1/listings", 406), accept: "text/html" },
    csv("listListingsCsv", "/v1/listings.csv?limit=1"),
    get("listListingsCsv", `/v1/listings.csv${WRONG}`, 400),
    get("getListing", `/v1/listings/${listing}`),
    get("getListing", `/v1/listings/${listing}?asOf=tomorrow`, 400),
    get("getListing", "/v1/listings/lst_nowhere", 404),
    get("getSchedule", `/v1/listings/${listing}/schedule`),
    get("getSchedule", `/v1/listings/${listing}/schedule${WRONG}`, 400),
    get("getSchedule", "/v1/listings/lst_nowhere/schedule", 404),
    get("listOriginators", "/v1/originators"),
    get("listOriginators", `/v1/originators${WRONG}`, 400),
    get("getOriginator", `/v1/originators/${originator}`),
    get("getOriginator", `/v1/originators/${originator}${WRONG}`, 400),
    get("getOriginator", "/v1/originators/org_nobody", 404),
    get("getDataManifest", "/data/manifest.json"),
    get("getDataFile", "/data/ledger/0-199-000000000000.parquet", 404),
    get("getStats", "/v1/stats"),
    get("getStats", `/v1/stats${WRONG}`, 400),
    get("getSeries", "/v1/stats/series?by=month&from=2026-01-01"),
    get("getSeries", "/v1/stats/series?by=hour", 400),
    { ...get("getSeries", "/v1/stats/series", 406), accept: "text/html" },
    csv("getSeriesCsv", "/v1/stats/series.csv?by=quarter&from=2026-01-01"),
    get("getSeriesCsv", `/v1/stats/series.csv${WRONG}`, 400),
    get("getCohorts", "/v1/stats/cohorts?by=year"),
    get("getCohorts", "/v1/stats/cohorts?by=day", 400),
    { ...get("getCohorts", "/v1/stats/cohorts", 406), accept: "text/html" },
    csv("getCohortsCsv", "/v1/stats/cohorts.csv?by=year"),
    get("getCohortsCsv", `/v1/stats/cohorts.csv${WRONG}`, 400),
    csv("getCurvesCsv", `/v1/stats/curves.csv?by=year&originator=${originator}`),
    get("getCurvesCsv", `/v1/stats/curves.csv${WRONG}`, 400),
    get("listEvents", "/v1/events?limit=2"),
    get("listEvents", "/v1/events?limit=1000", 400),
    csv("listEventsCsv", "/v1/events.csv?limit=2"),
    get("listEventsCsv", "/v1/events.csv?since=yesterday", 400),
    get("listListingEvents", `/v1/listings/${listing}/events?kind=repaid,drawn_down&limit=2`),
    get("listListingEvents", `/v1/listings/${listing}/events?kind=paid`, 400),
    get("listListingEvents", "/v1/listings/lst_nowhere/events", 404),
    csv("listListingEventsCsv", `/v1/listings/${listing}/events.csv?limit=2`),
    get("listListingEventsCsv", `/v1/listings/${listing}/events.csv${WRONG}`, 400),
    get("listListingEventsCsv", "/v1/listings/lst_nowhere/events.csv", 404),
    get("getEventProof", `/v1/events/${event}/proof`),
    get("getEventProof", `/v1/events/${event}/proof${WRONG}`, 400),
    get("getEventProof", "/v1/events/0-0/proof", 404),
    get("getListingProof", `/v1/listings/${listing}/proof`),
    get("getListingProof", `/v1/listings/${listing}/proof${WRONG}`, 400),
    get("getListingProof", "/v1/listings/lst_nowhere/proof", 404),
    get("getBookRoot", "/v1/root"),
    get("getBookRoot", `/v1/root${WRONG}`, 400),
    get("getBookNodes", "/v1/root/nodes?tree=ledger"),
    get("getBookNodes", "/v1/root/nodes?tree=ledger&prefix=latest", 400),
    get("followEvents", "/v1/stream?after=latest", 400),
    get("followEvents", "/v1/stream?listing=lst_nowhere", 404),
    get("listAnomalies", "/v1/anomalies"),
    get("listAnomalies", "/v1/anomalies?kind=odd", 400),
    get("health", "/v1/health"),
    get("ready", "/v1/ready"),
    get("getAudit", "/v1/audit"),
    { ...get("callTool", "/v1/mcp"), body: call("list_deals", { status: ["live"], limit: 1 }) },
    { ...get("callTool", "/v1/mcp", 400), body: [] },
    { ...get("callTool", "/v1/mcp", 404), body: { jsonrpc: "2.0", id: 1, method: "subscriptions/listen" } },
    get("describeTools", "/v1/mcp"),
    {
      ...get("queryGraphql", "/graphql"),
      body: {
        query:
          "query Open($first: Int) { listings(status: [listed, funding], sort: highest_coupon, first: $first) { totalCount nodes { publicId status raisedAmount couponRateBps originator { legalName ratingGrade } } pageInfo { hasNextPage endCursor } } }",
        variables: { first: 2 },
      },
    },
    { ...get("queryGraphqlByUrl", `/graphql?query=${TOTALS}`), accept: "application/json" },
    { ...get("queryGraphql", "/graphql", 400), body: {} },
    { ...get("queryGraphqlByUrl", "/graphql", 400), accept: "application/json" },
    get("getAiCatalog", "/.well-known/ai-catalog.json"),
    get("getArd", "/.well-known/ard.json"),
    get("getApiCatalog", "/.well-known/api-catalog"),
    get("getServerCard", "/.well-known/mcp/server-card.json"),
    get("getServerCardAtEndpoint", "/mcp/server-card"),
    get("getSkills", "/.well-known/agent-skills/index.json"),
    get("getRegistrySchema", "/registry.schema.json"),
    get("getSkill", "/.well-known/agent-skills/no-such-skill/SKILL.md", 404),
    { ...get("getKnowledgePage", "/knowledge/no-such-page", 404), accept: "application/json" },
    { ...get("getReferencePartPage", "/developers/reference/nothing", 404), accept: "application/json" },
    get("getMarketFeed", `/feed.atom${WRONG}`, 400),
    get("getMarketCalendar", `/calendar.ics${WRONG}`, 400),
    get("getRaiseFeed", "/listings/lst_nowhere/feed.atom", 404),
    get("getBusinessFeed", "/originators/org_nobody/feed.atom", 404),
    get("getRaiseCalendar", "/listings/lst_nowhere/calendar.ics", 404),
    get("getBusinessCalendar", "/originators/org_nobody/calendar.ics", 404),
    get("getRaisePicture", "/listings/lst_nowhere/share.png", 404),
    get("getBusinessPicture", "/originators/org_nobody/share.png", 404),
  ];
}

function call(name: string, args: object) {
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
}
