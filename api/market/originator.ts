/** @module A business of a market, with its listings. */
import type { z } from "zod";
import type { Listings } from "./listings.ts";
import type { originatorSchema } from "./schema.ts";

/** A business that has published a listing. */
export type Originator = Omit<z.infer<typeof originatorSchema>, "listings"> & { listings: Listings };
