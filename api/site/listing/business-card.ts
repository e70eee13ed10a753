/** @module The business behind a raise, with its record and its grade, on the page of the raise. */

import type { Originator } from "../../market/originator.ts";
import { recordOf } from "../../market/stats.ts";
import { fact, facts, links, linkTo, section } from "../blocks.ts";
import { gradeFigure, HOW_GRADED, kybFact } from "../grade.ts";
import { endedRaises, overdueRaises } from "../originators/record.ts";
import type { Section } from "../page.ts";
import { businessName, businessPath } from "../paths.ts";
import { count, type Tone, type Value, word } from "../value.ts";

/** Counts all visible raises of the business, this one too. */
export function businessSection(business: Originator): Section {
  const record = recordOf(business);
  const { repaid, lost } = endedRaises(record);
  const card = section("grade", "The business", [
    gradeFigure(business),
    facts("grid", [
      kybFact(business),
      fact("raises.repaid", "Raises repaid", tally(repaid, "good")),
      fact("raises.overdue", "Overdue now", tally(overdueRaises(record), "warn")),
      fact("raises.lost", "Ended with a loss", tally(lost, "bad")),
    ]),
    links([
      linkTo(businessName(business), businessPath(business), "its record, and the figures behind its grade"),
      HOW_GRADED,
    ]),
  ]);
  return { ...card, tone: "idle" };
}

/** None is good or bad only where there is one. */
function tally(raises: number, tone: Tone): Value {
  return raises === 0 ? count(0) : word(`${raises}`, `${raises}`, tone);
}
