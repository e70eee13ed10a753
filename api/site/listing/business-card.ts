/** Whose raise it is: the business with its record and its grade, on the page of the raise. @module */

import type { Originator } from "../../market/originator.ts";
import { isPastDue } from "../../market/schedule.ts";
import type { Listing } from "../../market/schema.ts";
import { fact, facts, links, linkTo, section } from "../blocks.ts";
import { gradeFigure, HOW_GRADED, kybFact } from "../grade.ts";
import type { Section } from "../page.ts";
import { businessName, businessPath } from "../paths.ts";
import { count, type Tone, type Value, word } from "../value.ts";

/** Counts all visible raises of the business, this one too. */
export function businessSection(business: Originator): Section {
  const { listings } = business;
  const having = (holds: (listing: Listing) => boolean) => listings.filter(holds).length;
  const repaid = having(({ repayment }) => repayment === "repaid");
  const lost = having(({ repayment }) => repayment === "written_off");
  const card = section("grade", "The business", [
    gradeFigure(business),
    facts("grid", [
      kybFact(business),
      fact("raises.repaid", "Raises repaid", tally(repaid, "good")),
      fact("raises.overdue", "Overdue now", tally(having(isOverdue), "warn")),
      fact("raises.lost", "Ended with a loss", tally(lost, "bad")),
    ]),
    links([
      linkTo(businessName(business), businessPath(business), "its record, and the figures behind its grade"),
      HOW_GRADED,
    ]),
  ]);
  return { ...card, tone: "idle" };
}

function isOverdue(listing: Listing): boolean {
  return isPastDue(listing) && listing.outstandingPrincipal !== "0";
}

/** None is good or bad only where there is one. */
function tally(raises: number, tone: Tone): Value {
  return raises === 0 ? count(0) : word(`${raises}`, `${raises}`, tone);
}
