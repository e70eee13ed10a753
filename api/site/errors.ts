/**
 * Error pages, in the same form as the rest of the site, with links onward.
 * @module
 */
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { fact, facts, links, linkTo, section } from "./blocks.ts";
import type { Page, Section } from "./page.ts";
import { SITE_PATHS } from "./paths.ts";
import { code } from "./value.ts";

/** A page with its HTTP status. */
export type ErrorPage = { status: ContentfulStatusCode; page: Page; headers?: Record<string, string> };

export function missingPage(detail: string): ErrorPage {
  return errorPage(404, "There is no such page", detail);
}

/** The market before the first indexed block. */
export function startingPage(): ErrorPage {
  const page = errorPage(
    503,
    "The book is being built",
    "The indexer has not finished its first block yet. This page shows the market as soon as it has.",
  );
  return { ...page, headers: { "Retry-After": "2" } };
}

/** A page whose data only the database has. */
export function databaseSilentPage(): ErrorPage {
  const page = errorPage(
    503,
    "The database does not answer",
    "The events of a raise come from the database, which does not answer at the moment. This page shows them as soon as it does.",
  );
  return { ...page, headers: { "Retry-After": "5" } };
}

/** @param requestId by which the operator finds the error */
export function failedPage(requestId: string): ErrorPage {
  const request = fact("requestId", "Request id, for the operator", code(requestId));
  return errorPage(
    500,
    "Something went wrong here",
    "The page could not be built. This is not your fault; trying again may help.",
    [section("request", null, [facts("list", [request])])],
  );
}

function errorPage(
  status: ContentfulStatusCode,
  title: string,
  description: string,
  sections: readonly Section[] = [],
): ErrorPage {
  const onward = links([
    linkTo("All raises", SITE_PATHS.board),
    linkTo("All businesses", SITE_PATHS.originators),
    linkTo("Knowledge base", SITE_PATHS.knowledge),
    linkTo("How the service is doing", SITE_PATHS.system),
  ]);
  return {
    status,
    page: {
      path: "",
      title,
      description,
      updated: "1970-01-01",
      crumbs: [],
      // Pages of the market refresh by themselves once there is one.
      isLive: status === 503,
      sections: [...sections, section("onward", "Where to go next", [onward])],
    },
  };
}
