import { describe, expect, it } from "vitest";
import { strayVariables } from "./stray.ts";
import { VARIABLE_NAMES } from "./variables.ts";

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

  it("says nothing of our own, of what is blank, and of what the daemon sets", () => {
    expect(strayVariables(Object.fromEntries(VARIABLE_NAMES.map((name) => [name, "x"])))).toEqual([]);
    expect(strayVariables({ RPC_URL: " ", ESCROW: undefined, RAISEBOOK_LAST_GOOD_REGISTRY: "x" })).toEqual(
      [],
    );
  });
});
