/**
 * Turns a raise's story into steps.
 * @module
 */
import { bid, close, create, subscribeFixed, windowEnd } from "./raising.ts";
import type { Random } from "./random.ts";
import { type Close, drawDown, refundShare, repay } from "./repaying.ts";
import { createScript, DAY, HOUR, type PlannedRaise, type Script } from "./script.ts";

/** The script of a raise up to `end` (unix seconds). Its steps are not in chronological order. */
export function writeScript(raise: PlannedRaise, end: number, random: Random): Script {
  const script = createScript(raise, end, random);
  const { course } = raise.story;
  create(script);
  switch (course.kind) {
    case "open":
      if (course.reached > 0) subscribeUntil(script, course.reached, end - HOUR);
      break;
    case "cancelled": {
      const { goLiveAt } = raise.terms;
      const at = Math.round(goLiveAt + (windowEnd(raise) - goLiveAt) * random.between(0.6, 0.9));
      subscribeUntil(script, course.reached, at - HOUR);
      script.add(at, "operator", { kind: "cancel", reason: course.reason });
      refundShare(script, at, course.refundedShare);
      break;
    }
    case "missed":
      subscribeUntil(script, course.reached, windowEnd(raise) - HOUR);
      refundShare(script, close(script), course.refundedShare);
      break;
    case "voided": {
      const at = Math.round(succeed(script).closedAt + random.between(1, 4) * DAY);
      script.add(at, "operator", { kind: "voidListing", reason: course.reason });
      refundShare(script, at, course.refundedShare);
      break;
    }
    case "undrawn":
      succeed(script);
      break;
    default:
      repay(script, drawDown(script, succeed(script)), course);
  }
  return script;
}

function subscribeUntil(script: Script, fraction: number, until: number): void {
  if (script.raise.terms.pricingMode === "auction") bid(script, fraction, until);
  else subscribeFixed(script, fraction, until);
}

/** Reaches the minimum and closes. */
function succeed(script: Script): Close {
  const { raise, random } = script;
  const { goLiveAt, pricingMode, couponRateBps } = raise.terms;
  const last = windowEnd(raise) - HOUR;
  if (pricingMode === "auction") {
    const clearingRate = bid(script, random.between(1.1, 1.4), last);
    return { closedAt: close(script), couponRateBps: clearingRate };
  }
  if (random.chance(0.4)) {
    const least = Math.min(0.95, raise.story.minimum / 100 + 0.1);
    subscribeFixed(script, random.between(least, 0.98), last);
    return { closedAt: close(script), couponRateBps };
  }
  subscribeFixed(script, 1, goLiveAt + (last - goLiveAt) * random.between(0.5, 0.95));
  const subscribed = script.steps.filter(({ action }) => action.kind === "subscribe");
  return { closedAt: Math.max(...subscribed.map(({ at }) => at)), couponRateBps };
}
