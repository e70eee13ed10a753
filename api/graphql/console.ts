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

/** The answer to a browser. The page has 9 MB and is made when somebody opens it for the first time. */
export function createConsole(): (c: Context) => Promise<Response> {
  let page: Promise<Page> | null = null;
  return async (c) => {
    page ??= makePage().catch((error) => {
      page = null;
      throw error;
    });
    const { body, policy } = await page;
    const response = await answerStatic(c, body);
    response.headers.set("Content-Security-Policy", policy);
    return response;
  };
}

async function makePage(): Promise<Page> {
  const html = await renderConsole({ title: "Raisebook GraphiQL", defaultQuery: FIRST_QUERY });
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
