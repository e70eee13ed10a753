/** @module Queries that a page offers. */
import { START } from "../developers/snippets.ts";

const LATE = `{
  listings(repayment: [late, default], first: 10) {
    totalCount
    nodes {
      publicId
      title
      repayment
      outstandingPrincipal
      reserveBalance
    }
  }
}`;

const TOTALS = `{
  stats {
    raised
    repaid
    outstanding
    defaultRateBps
  }
}`;

const BUSINESSES = `{
  originators(first: 5) {
    nodes {
      publicId
      legalName
      jurisdiction
      ratingGrade
      listings(first: 3) {
        nodes {
          publicId
          status
        }
      }
    }
  }
}`;

const EVENTS = `{
  events(first: 5) {
    nodes {
      kind
      blockNumber
      blockTime
      publicId
      finality
    }
  }
}`;

export const EXAMPLES: readonly { title: string; note: string; query: string }[] = [
  { title: "Raises that accept money", note: "closing soonest first", query: START },
  { title: "Loans that are late or in default", note: "with what is owed and the reserve", query: LATE },
  { title: "Totals of the market", note: "raised, repaid, outstanding", query: TOTALS },
  { title: "Businesses with their raises", note: "two levels in one request", query: BUSINESSES },
  { title: "The latest events", note: "from the contracts", query: EVENTS },
];
