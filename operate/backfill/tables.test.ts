import { expect, it } from "vitest";
import type { PonderApp } from "./ponder.ts";
import { PassingFailure, type RowStream, writeTables } from "./tables.ts";

/** An app whose embedded database refuses the rows with this code of PostgreSQL's. */
const refusing = (code: string) =>
  ({
    database: {
      driver: {
        dialect: "pglite",
        instance: { transaction: () => Promise.reject(Object.assign(new Error("refused"), { code })) },
      },
    },
  }) as unknown as PonderApp;

// biome-ignore lint/correctness/useYield: a history without rows
async function* none(): RowStream {
  return null;
}

it("takes a full disk of the embedded database for a failure that passes, and refused rows for none", async () => {
  await expect(writeTables(refusing("53100"), none())).rejects.toThrow(PassingFailure);
  await expect(writeTables(refusing("22003"), none())).rejects.not.toThrow(PassingFailure);
});
