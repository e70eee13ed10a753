import { describe, expect, it } from "vitest";
import { VARIABLE_NAMES } from "../../config/variables.ts";
import { strayVariables } from "./check-environment.ts";

const meant = (name: string) => strayVariables({ [name]: "x" }).map((one) => one.meant);

describe("strayVariables", () => {
  it.each([
    ["RPC_URL", "RPC_URLS"],
    ["ESCROW", "ESCROWS"],
    ["ESCROW_ADDRESS", "ESCROWS"],
    ["ESCROW_ADDRESSES", "ESCROWS"],
    ["REGISTRY_URL", "REGISTRY"],
    ["DATABASE_SCHEMAS", "DATABASE_SCHEMA"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["KNOWLEGDE", "KNOWLEDGE"],
    ["DESK_ADDRESS", "DESK"],
    ["PORTS", "PORT"],
    ["rpc_urls", "RPC_URLS"],
    ["RAISEBOOK_PORT", "PORT"],
    ["PONDER_RPC_URL_97", "RPC_URLS"],
    ["TRUSTED_PROXY", "TRUSTED_PROXIES"],
    ["TRUSTED_PROXYS", "TRUSTED_PROXIES"],
    ["TRUST_PROXY", "TRUSTED_PROXIES"],
    ["RAISEBOOK_TRUSTED_PROXY", "TRUSTED_PROXIES"],
    ["ESCROW_FACTORIES", "ESCROW_FACTORY"],
    ["REGISTRIES", "REGISTRY"],
    ["REGISTRIES_FILE", "REGISTRY"],
    ["POLL_INTERVAL", "POLLING_INTERVAL"],
    ["WEBHOOK_METRIC_PORT", "WEBHOOKS_METRICS_PORT"],
    ["PUBLIC_URI", "PUBLIC_URL"],
    ["RAISEBOOK_DATADIR", "RAISEBOOK_DATA_DIR"],
    ["RAISEBOOK_DATA_DIRECTORY", "RAISEBOOK_DATA_DIR"],
    ["RAISEBOOK_DATA_FOLDER", "RAISEBOOK_DATA_DIR"],
    ["RAISEBOOK_COLOUR", null],
  ])("takes %s for %s", (name, ours) => {
    expect(meant(name)).toEqual([ours]);
  });

  it.each([
    "HOME",
    "HOSTNAME",
    "POST",
    "HOST_PATH",
    "HOST_1",
    "DISK",
    "HOSTING",
    "APP_PATH",
    "DATABASE_DIR",
    "DATA_DIR",
    "DATABASE_USER",
    "DATABASE_HOST",
    "REGISTRY_PASSWORD",
    "ETH_RPC_URL",
    "DESKTOP_SESSION",
    "LOGNAME",
    "SITE_URL",
    "NODE_ENV",
    "PATH",
    "PWD",
    "TERM",
  ])("leaves %s alone", (name) => {
    expect(meant(name)).toEqual([]);
  });

  it.each(VARIABLE_NAMES)("takes the singular and the plural of %s for it", (name) => {
    const singular = name.replace(/IES$/, "Y").replace(/(?<!S)S$/, "");
    const plural = name.endsWith("Y") ? name.replace(/Y$/, "IES") : `${name}S`;
    for (const other of [singular, plural]) if (other !== name) expect(meant(other)).toEqual([name]);
  });

  it("says nothing of our own, of what is blank, and of what the daemon sets", () => {
    expect(strayVariables(Object.fromEntries(VARIABLE_NAMES.map((name) => [name, "x"])))).toEqual([]);
    expect(strayVariables({ RPC_URL: " ", ESCROW: undefined, RAISEBOOK_LAST_GOOD_REGISTRY: "x" })).toEqual(
      [],
    );
  });
});
