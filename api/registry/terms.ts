/**
 * An entry's facts on a raise whose contract does not tell them: its terms, its reference number, its token. Where the chain says it
 * too, the chain counts.
 * @module
 */
import { z } from "zod";
import { isoTime, parseTime } from "../../config/format/time.ts";
import { MAX_NUMBER } from "../../src/contracts/market-event.ts";
import type { Terms } from "../../src/fold/event-kinds.ts";
import { PRICING_MODES } from "../../src/fold/vocabulary.ts";
import { address, not, notObject } from "./values.ts";

const notAmount = not("an amount", "base units with 18 decimals, as a decimal string");
const amount = z
  .string({ error: notAmount })
  .regex(/^(0|[1-9][0-9]{0,77})$/, { error: notAmount, abort: true })
  .refine((value) => BigInt(value) < 2n ** 256n, { error: notAmount, abort: true })
  .transform(BigInt);

const notNumber = not("a whole number", `0 to ${MAX_NUMBER}`);
/** Also as a text: in YAML every value is one. */
const number = z
  .union(
    [
      z.int({ error: notNumber }).min(0, { error: notNumber }).max(MAX_NUMBER, { error: notNumber }),
      z
        .string({ error: notNumber })
        .regex(/^(0|[1-9][0-9]{0,9})$/, { error: notNumber, abort: true })
        .refine((value) => Number(value) <= MAX_NUMBER, { error: notNumber }),
    ],
    { error: notNumber },
  )
  .transform(Number);

const notTime = not("a time", "ISO 8601 such as 2026-03-01T12:00:00Z");
/** With `Z` or an offset, in whole seconds. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})$/;
const time = z
  .string({ error: notTime })
  .regex(TIME, { error: notTime, abort: true })
  .refine((value) => (parseTime(value) ?? -1n) >= 0n, { error: notTime, abort: true })
  .transform((value) => parseTime(value) ?? 0n);

const terms = z
  .strictObject(
    {
      targetAmount: amount.describe("Amount sought, base units with 18 decimals."),
      minRaise: amount.describe(
        "Minimum to raise, base units; below it at the close, every backer is refunded.",
      ),
      couponRateBps: number.describe("Cost of funds per annum, basis points."),
      tenorDays: number.describe("Term in days from the drawdown."),
      insuranceBps: number.describe("Reserve that the originator posts, basis points of the target."),
      pricingMode: z
        .enum(PRICING_MODES, { error: not("a pricing mode", PRICING_MODES.join(" or ")) })
        .describe("How the coupon is set."),
      goLiveAt: time.describe("When the raise opens, ISO 8601."),
      closeAt: time
        .nullish()
        .transform((value) => value ?? null)
        .describe("When the raise closes, ISO 8601. Without it there is no closing time."),
    },
    { error: notObject },
  )
  .transform((value): Terms => value);

const notRefnum = not("a reference number", "letters and five digits, such as RB00042");

export const FROM_THE_REGISTRY = {
  terms: terms
    .optional()
    .describe(
      "Terms of a raise whose contract does not give them all, whole. Where it does, those of the chain count. Optional.",
    ),
  refnum: z
    .string({ error: notRefnum })
    .regex(/^[A-Za-z]{1,32}[0-9]{5}$/, { error: notRefnum })
    .optional()
    .describe("Reference number of a raise whose contract gives none. Optional."),
  tokenAddress: address
    .optional()
    .describe("ERC-20 token of a raise whose contract names none, hex in any case. Optional."),
};

/** Terms as an entry has them. */
export type WrittenTerms = z.input<typeof terms>;

export function writtenTerms({ targetAmount, minRaise, goLiveAt, closeAt, ...others }: Terms): WrittenTerms {
  const { couponRateBps, tenorDays, insuranceBps, pricingMode } = others;
  return {
    targetAmount: `${targetAmount}`,
    minRaise: `${minRaise}`,
    ...{ couponRateBps, tenorDays, insuranceBps },
    pricingMode: pricingMode === "auction" ? "auction" : "fixed",
    goLiveAt: isoTime(goLiveAt),
    closeAt: closeAt === null ? null : isoTime(closeAt),
  };
}

/** @throws for terms that no entry could have */
export function readTerms(written: WrittenTerms): Terms {
  return terms.parse(written);
}
