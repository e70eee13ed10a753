/**
 * The pages that stand where there is no other: in the same form as the rest of the site, with a way on.
 * @module
 */
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Page } from "./page.ts";
import { code } from "./value.ts";

/** A page with the status that it is answered with. */
export type ErrorPage = { status: ContentfulStatusCode; page: Page; headers?: Record<string, string> };

const ONWARD = [
  { text: "All raises", href: "/" },
  { text: "All businesses", href: "/originators" },
  { text: "Knowledge base", href: "/knowledge" },
  { text: "How the service is doing", href: "/system" },
];

export function missingPage(detail: string): ErrorPage {
  return errorPage(404, "There is no such page", detail);
}

/** The market before the first indexed block. */
export function startingPage(): ErrorPage {
  const starting = errorPage(
    503,
    "The book is being built",
    "The indexer has not finished its first block yet. This page shows the market as soon as it has.",
  );
  return { ...starting, headers: { "Retry-After": "2" } };
}

/** A page of what only the database has. */
export function databaseSilentPage(): ErrorPage {
  const silent = errorPage(
    503,
    "The database does not answer",
    "What happened in a raise is read from the database, which does not answer at the moment. This page shows it as soon as it does.",
  );
  return { ...silent, headers: { "Retry-After": "5" } };
}

/** @param requestId by which the operator finds what happened */
export function failedPage(requestId: string): ErrorPage {
  const { status, page } = errorPage(
    500,
    "Something went wrong here",
    "The page could not be made. It is not your doing; trying again may help.",
  );
  const facts = [{ key: "requestId", label: "For the operator, the request was", value: code(requestId) }];
  return {
    status,
    page: {
      ...page,
      sections: [
        { id: "request", title: null, blocks: [{ kind: "facts", look: "list", facts }] },
        ...page.sections,
      ],
    },
  };
}

function errorPage(status: ContentfulStatusCode, title: string, description: string): ErrorPage {
  return {
    status,
    page: {
      path: "",
      title,
      description,
      updated: "1970-01-01",
      crumbs: [],
      // The market's pages come by themselves once there is a market.
      isLive: status === 503,
      sections: [{ id: "onward", title: "From here", blocks: [{ kind: "links", links: ONWARD }] }],
    },
  };
}
