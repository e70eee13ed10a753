/**
 * GraphiQL, for people: one page that brings everything it needs, so that it loads nothing from anywhere.
 * @module
 */
import { createHash } from "node:crypto";
import type { Context } from "hono";
import { type Body, createBody } from "../feed/body.ts";
import { answerStatic } from "../rest/answer.ts";
import { renderConsole } from "./packages.ts";

const FIRST_QUERY = `# The open book of a fundraising marketplace: raises, businesses, the secondary desk, the ledger.
# Amounts are strings in base units (18 decimals), rates are in basis points.
{
  listings(status: [listed, funding], sort: closing_soon, first: 5) {
    totalCount
    nodes {
      refnum
      title
      status
      targetAmount
      raisedAmount
      couponRateBps
      closeAt
      originator {
        legalName
        ratingGrade
      }
      events(first: 2) {
        nodes {
          kind
          blockTime
          ... on SubscribedEvent {
            amount
          }
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`;

type Page = { body: Body; policy: string };

/**
 * The answer to a browser. The page has 9 MB and is made when somebody opens it for the first time. It shows the query
 * of its address, which a query of ours would hide: there are two pages.
 */
export function createConsole(): (c: Context) => Promise<Response> {
  const pages = new Map<string, Promise<Page>>();
  return async (c) => {
    const query = new URL(c.req.url).searchParams.has("query") ? "" : FIRST_QUERY;
    const page = pages.get(query) ?? makePage(query);
    pages.set(query, page);
    page.catch(() => pages.delete(query));
    const { body, policy } = await page;
    const response = await answerStatic(c, body);
    response.headers.set("Content-Security-Policy", policy);
    return response;
  };
}

/** @param query empty for that of the address */
async function makePage(query: string): Promise<Page> {
  const html = await renderConsole({ title: "Raisebook GraphiQL", ...(query === "" ? {} : { query }) });
  return { body: createBody("text/html; charset=utf-8", Buffer.from(html)), policy: policyOf(html) };
}

/**
 * Nothing runs but the page's own script, by its hash, and the workers that it makes of texts of its own. Styles are
 * written by the editor as it goes, which no hash can foresee.
 */
function policyOf(html: string): string {
  const script = html.slice(html.indexOf("<script>") + "<script>".length, html.lastIndexOf("</script>"));
  const hash = createHash("sha256").update(script).digest("base64");
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "worker-src blob:",
    "style-src 'unsafe-inline'",
    "font-src data:",
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
