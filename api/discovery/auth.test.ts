import { expect, it } from "vitest";
import { SITE } from "../../test/harness/snapshot.ts";
import { TOOL_CATALOG } from "../mcp/catalog.ts";
import { authText } from "./auth.ts";

it("says what a client may send, as the operator has set it", () => {
  const limitsWith = (rateLimit: number | null) =>
    /## Limits\n\n(.*?)\n\n/s.exec(authText({ ...SITE, rateLimit }, TOOL_CATALOG))?.[1];
  expect(limitsWith(null)).toMatch(/^No client is rate limited; .* alone can get a 429/s);
  expect(limitsWith(600)).toMatch(/^A client may send 600 requests a minute; .* also get a 429/s);
});

it("says which requests can be refused with any limit, and of which name", () => {
  const text = authText(SITE, TOOL_CATALOG).replaceAll("\n", " ");
  expect(text).toContain(
    "(asOf, CSV, GraphQL, search, proofs, series and cohorts of some raises, full lists of a large market)",
  );
  expect(text).toContain(
    "No 401 is ever sent, as there are no credentials; a 403 only for a host name that is not served.",
  );
});
