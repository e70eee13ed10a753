/** @module The kinds of values in answers, described once. Interface document, "What the service does", 6. */
import { z } from "@hono/zod-openapi";

/** An amount in base units (18 decimals) as a decimal string. Interface document, "What the service does", 6: "never JSON numbers". */
export const amount = (description: string) =>
  z
    .string()
    .regex(/^(0|[1-9][0-9]*)$/)
    .openapi({
      description: `${description}. Base units (18 decimals), decimal string.`,
      example: "1250500000000000000000",
    });
/** An id on the chain, of any size, as a decimal string. */
export const id = (description: string) =>
  z
    .string()
    .regex(/^(0|[1-9][0-9]*)$/)
    .openapi({ description: `${description}. Decimal string.`, example: "1" });
/** A rate or a share as an integer in basis points. Interface document, "What the service does", 6: "10000 = 100%". */
export const basisPoints = (description: string, example = 1450) =>
  z.int().openapi({ description: `${description}. Basis points, 10000 = 100%.`, example });
/** A price in basis points of par: 9650 is 96.50 for 100 of claim. */
export const price = (description: string) => basisPoints(`${description}, of par`, 9650);
/** A number of things, an integer from 0. */
export const count = (description: string, example = 12) => z.int().min(0).openapi({ description, example });
export const text = (description: string, example?: string | null) =>
  z.string().openapi({ description, example });
export const flag = (description: string, example = true) => z.boolean().openapi({ description, example });
export const oneOf = <const Word extends string>(
  words: readonly [Word, ...Word[]],
  description: string,
  example?: Word | null,
) => z.enum(words).openapi({ description, example });
export const listOf = <Item extends z.ZodType>(item: Item, description: string, example?: []) =>
  z.array(item).openapi({ description, example });
export const hash = (description: string, example = `0x${"7a".repeat(32)}`) =>
  z
    .string()
    .regex(/^0x[0-9a-f]{64}$/)
    .openapi({ description: `${description}. 32 bytes, lowercase hex.`, example });
/** Interface document, "What the service does", 6: "Addresses are lowercase hex". */
export const address = (description: string) =>
  z
    .string()
    .regex(/^0x[0-9a-f]{40}$/)
    .openapi({
      description: `${description}. Lowercase hex.`,
      example: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
    });
/** Has no pattern: by one, clients would refuse a list for a malformed refnum, which is served as it is, with the anomaly `bad_refnum`. */
export const refnum = (description: string) =>
  text(`${description}. Letters and a five-digit counter, unless the contract has another text.`, "RB00042");
/** A time in ISO 8601, UTC, in whole seconds. Interface document: "date-time". */
export const time = (description: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
    .openapi({
      description: `${description}. ISO 8601, UTC.`,
      format: "date-time",
      example: "2026-03-01T12:00:00Z",
    });
export const url = (description: string) =>
  z.string().openapi({ description, format: "uri", example: "https://raises.example/listings/lst_bakery" });

export const txHash = hash(
  "Transaction",
  "0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b",
);
