/** @module The files from which processes start with what an earlier one had in memory, in the directory MARKET_FILES. */
import { hash } from "node:crypto";
import { join } from "node:path";
import type { Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { publicSettingsOf } from "../../config/public-settings.ts";
import { schemaNameOf, serviceKeyOf } from "../../config/schema-name.ts";
import { keepRegistry, type RegistryKeeper } from "../registry/registry-keeper.ts";
import { registrySchemaText } from "../registry/schema.ts";
import { requiredSigner } from "../registry/signature.ts";
import { VERSION } from "../version.ts";
import { keepMarket, type MarketKeeper } from "./market-keeper.ts";

type Use = {
  /** whether this process writes the file */
  readonly writes: boolean;
  readonly log: Logger;
};

/** Undefined where nothing is saved. With the embedded database the market is small. */
export function savedMarketOf(settings: Settings, use: Use): MarketKeeper | undefined {
  if (settings.marketDir === null || settings.database.kind !== "postgres") return undefined;
  const schema = schemaNameOf(settings);
  // The name that the schema would have says which contracts and code its tables are of.
  const content = schemaNameOf({ ...settings, databaseSchema: null });
  const origin = JSON.stringify([schema, content, VERSION, publicSettingsOf(settings)]);
  const { dropSchemasAfter } = settings;
  return keepMarket({
    ...{ path: join(settings.marketDir, `${schema}.market`), origin, ...use },
    dropOthersAfter: dropSchemasAfter === null ? null : dropSchemasAfter * 1_000,
  });
}

/** Undefined where nothing is saved. */
export function savedRegistryOf(settings: Settings, use: Use): RegistryKeeper | undefined {
  if (settings.marketDir === null) return undefined;
  const signer = requiredSigner(settings);
  // Hashed, since a source may have a password in it. The schema has most of the rules that entries have been checked against.
  const origin = hash("sha256", JSON.stringify([VERSION, registrySchemaText(), settings.registry, signer]));
  return keepRegistry({
    ...{ path: join(settings.marketDir, `${serviceKeyOf(settings)}.registry`), origin, signer },
    ...use,
  });
}
