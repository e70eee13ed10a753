/** @module Error pages, in the same form as the rest of the site, with links onward. */
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Knowledge } from "../knowledge/load.ts";
import { fact, facts, links, linkTo, section } from "./blocks.ts";
import { guessFor, searchFor } from "./guess.ts";
import type { Page, Section } from "./page.ts";
import { SITE_PATHS } from "./paths.ts";
import { code } from "./value.ts";

export type ErrorPage = { status: ContentfulStatusCode; page: Page; headers?: Record<string, string> };

/** @param path as asked for, percent-encoded */
export function missingPage(detail: string, path: string, knowledge: Knowledge): ErrorPage {
  const guesses = guessFor(path, knowledge);
  const search = section("search", null, [{ kind: "form", form: searchFor(path) }]);
  const meant = section("guess", "Did you mean", [links(guesses)]);
  return errorPage(404, "Page not found", detail, [search, ...(guesses.length === 0 ? [] : [meant])]);
}

export function notAllowedPage({
  detail,
  headers,
}: {
  detail: string;
  headers: Record<string, string>;
}): ErrorPage {
  return { ...errorPage(405, "This page can only be viewed", detail), headers };
}

/** The market before the first indexed block. The banner says what it waits for. */
export function startingPage(): ErrorPage {
  const { page, ...error } = passingPage("Getting ready", "The service has just started.", 2);
  const meanwhile = links([
    linkTo("Knowledge base", SITE_PATHS.knowledge, "how raises work, and the risks"),
    linkTo("System status", SITE_PATHS.system, "how far indexing has come"),
  ]);
  return { ...error, page: { ...page, lead: null, sections: [section("onward", "Meanwhile", [meanwhile])] } };
}

/** The error page when the database, the only source of the data, does not answer. */
export function databaseSilentPage(): ErrorPage {
  const detail =
    "Its history comes from the database, which is not responding. This page reloads automatically.";
  return passingPage(NOT_NOW, detail, 5);
}

/** The error page when history and market are of different blocks. */
export function reorganisingPage(): ErrorPage {
  const detail = "The blockchain is replacing its last blocks. This page reloads automatically in a moment.";
  return passingPage(NOT_NOW, detail, 2);
}

/** The error page when a page cannot be made at the moment. @param detail why, in a sentence */
export function busyPage(detail: string): ErrorPage {
  return passingPage(NOT_NOW, detail, 2);
}

const NOT_NOW = "This page is not available right now";

/** @param retryAfter seconds */
function passingPage(title: string, detail: string, retryAfter: number): ErrorPage {
  return { ...errorPage(503, title, detail), headers: { "Retry-After": `${retryAfter}` } };
}

/** @param requestId by which the operator finds the error */
export function failedPage(requestId: string): ErrorPage {
  const request = fact("requestId", "Request ID, for the operator", code(requestId));
  return errorPage(
    500,
    "Something went wrong",
    "We could not build this page. It is not your fault, and trying again may help.",
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
    linkTo("All raises", SITE_PATHS.board, "open, repaying and ended"),
    linkTo("All businesses", SITE_PATHS.originators, "with their grades"),
    linkTo("Knowledge base", SITE_PATHS.knowledge, "how everything works"),
    linkTo("System status", SITE_PATHS.system, "whether the figures are current"),
  ]);
  return {
    status,
    page: {
      path: "",
      title,
      description,
      updated: "1970-01-01",
      crumbs: [],
      // Pages of the market refresh automatically once there is one.
      isLive: status === 503,
      sections: [...sections, section("onward", "Try one of these", [onward])],
    },
  };
}
