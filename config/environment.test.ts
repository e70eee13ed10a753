import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { A, B, LEAST, problem, problemsOf } from "../test/harness/settings.ts";
import { readersMetricsPort, readSettings } from "./environment.ts";
import { SettingsError } from "./problems.ts";
import { VARIABLES } from "./variables.ts";

describe("readSettings", () => {
  it("fills in the defaults", () => {
    expect(readSettings(LEAST)).toEqual({
      chainId: 97,
      contracts: null,
      rpcUrls: ["http://127.0.0.1:8545"],
      wsUrl: null,
      ...{ webhooks: null, webhooksReader: null, webhooksMetricsPort: null },
      logsRange: null,
      rpcConcurrency: 32,
      finalityDepth: 240,
      fastForward: true,
      ledger: null,
      logsProven: "events",
      escrows: [{ address: A, startBlock: 7 }],
      escrowFactory: null,
      desk: null,
      holders: false,
      registry: { kind: "file", path: "./registry.json" },
      registrySigner: null,
      knowledge: join(import.meta.dirname, "../knowledge"),
      publicUrl: "http://127.0.0.1:42069",
      appUrl: null,
      contact: null,
      explorer: null,
      publicNode: null,
      embedOrigins: "*",
      siteName: "Raisebook",
      siteLogo: null,
      siteAccent: "#0f6b74",
      allowDifferentBook: false,
      exposeAccounts: false,
      auditEvery: null,
      proofCalls: 60,
      database: { kind: "pglite", dataDirectory: ".raisebook", directory: ".raisebook/pglite" },
      databaseSchema: null,
      ...{ dataDir: ".raisebook/data", dataBlocks: 100_000, dataLicence: null, marketDir: null },
      dropSchemasAfter: 86_400,
      host: "127.0.0.1",
      port: 42069,
      operatorPort: 42070,
      metricsPort: null,
      rateLimit: null,
      maxStreams: 10_000,
      trustedProxies: [],
      logFormat: "pretty",
      logLevel: "info",
      pollingInterval: 1000,
    });
  });

  it("reads every variable", () => {
    const settings = readSettings({
      CHAIN_ID: "11155111",
      RPC_URLS: "https://one.example/KEY, https://two.example, https://one.example/KEY",
      WS_URL: "wss://one.example/ws",
      ETH_GET_LOGS_RANGE: "2000",
      RPC_CONCURRENCY: "8",
      FINALITY_DEPTH: "300",
      FAST_FORWARD: "false",
      LOGS_PROVEN: "possible",
      ESCROWS: `${A.toUpperCase().replace("0X", "0x")}@1 , ${B}@2`,
      ESCROW_FACTORY: `${A}@3`,
      DESK: `${B}@4`,
      HOLDERS: "true",
      REGISTRY: "https://raises.example/registry.json",
      REGISTRY_SIGNER: B.replace("b", "B"),
      KNOWLEDGE: "./pages",
      PUBLIC_URL: "https://Raises.example:443",
      APP_URL: "https://app.raises.example/sign",
      CONTACT: "desk@raises.example",
      EXPLORER_URL: "https://scan.example/?q={tx}, https://scan.example/a/{address}#code",
      PUBLIC_NODE: "http://127.0.0.1:8545",
      EMBED_ORIGINS: "https://Blog.example/, http://localhost:8080",
      SITE_NAME: " Open <b>Book</b> & Co ",
      SITE_LOGO: "./logo.png",
      SITE_ACCENT: "#A3c",
      ALLOW_DIFFERENT_BOOK: "true",
      EXPOSE_ACCOUNTS: "true",
      AUDIT_EVERY: "600",
      PROOF_CALLS: "600",
      MAX_STREAMS: "500",
      DATABASE_URL: "postgresql://u:p@db.example/x",
      NOTICES_DATABASE_URL: "postgresql://u:p@primary.example/x",
      DATABASE_SCHEMA: "live_1",
      ...{
        MARKET_FILES: "/srv/markets",
        DATA_FILES: "/srv/data",
        DATA_BLOCKS: "5000",
        DATA_LICENCE: "https://licence.example/open",
      },
      DROP_SCHEMAS_AFTER: "0",
      HOST: "0.0.0.0",
      PORT: "8080",
      OPERATOR_PORT: "9090",
      METRICS_PORT: "9091",
      RATE_LIMIT: "600",
      TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8,fd00::/8",
      LOG_FORMAT: "json",
      LOG_LEVEL: "debug",
      POLLING_INTERVAL: "100",
    });
    expect(settings).toMatchObject({
      chainId: 11_155_111,
      rpcUrls: ["https://one.example/KEY", "https://two.example"],
      wsUrl: "wss://one.example/ws",
      logsRange: 2000,
      rpcConcurrency: 8,
      finalityDepth: 300,
      fastForward: false,
      logsProven: "possible",
      escrows: [
        { address: A, startBlock: 1 },
        { address: B, startBlock: 2 },
      ],
      escrowFactory: { address: A, startBlock: 3 },
      desk: { address: B, startBlock: 4 },
      holders: true,
      registry: { kind: "url", url: "https://raises.example/registry.json" },
      registrySigner: B,
      knowledge: "./pages",
      publicUrl: "https://raises.example",
      appUrl: "https://app.raises.example/sign",
      contact: { email: "desk@raises.example" },
      explorer: {
        tx: "https://scan.example/?q={tx}",
        address: "https://scan.example/a/{address}#code",
        block: null,
      },
      publicNode: "http://127.0.0.1:8545/",
      embedOrigins: ["https://blog.example", "http://localhost:8080"],
      siteName: "Open <b>Book</b> & Co",
      siteLogo: "./logo.png",
      siteAccent: "#aa33cc",
      allowDifferentBook: true,
      exposeAccounts: true,
      auditEvery: 600,
      proofCalls: 600,
      database: {
        kind: "postgres",
        connectionString: "postgresql://u:p@db.example/x",
        noticesUrl: "postgresql://u:p@primary.example/x",
      },
      databaseSchema: "live_1",
      ...{ dataDir: "/srv/data", dataBlocks: 5_000, dataLicence: "https://licence.example/open" },
      marketDir: "/srv/markets",
      dropSchemasAfter: null,
      host: "0.0.0.0",
      port: 8080,
      operatorPort: 9090,
      metricsPort: 9091,
      rateLimit: 600,
      maxStreams: 500,
      trustedProxies: ["127.0.0.1", "10.0.0.0/8", "fd00::/8"],
      logFormat: "json",
      logLevel: "debug",
      pollingInterval: 100,
    });
  });

  it("puts the operator's port beside PORT, and keeps the two apart", () => {
    expect(readSettings({ ...LEAST, PORT: "65535" }).operatorPort).toBe(65_534);
    expect(problem({ PORT: "8080", OPERATOR_PORT: "8080" })).toBe(
      "OPERATOR_PORT must differ from PORT (both are 8080)",
    );
    expect(problem({ OPERATOR_PORT: "42069" })).toBe("OPERATOR_PORT must differ from PORT (both are 42069)");
    expect(problem({ METRICS_PORT: "42069" })).toBe("METRICS_PORT must differ from PORT (both are 42069)");
    expect(problem({ METRICS_PORT: "42070" })).toBe(
      "METRICS_PORT must differ from OPERATOR_PORT (both are 42070)",
    );
    for (const [given, expected] of [
      [{}, 42_071],
      [{ PORT: "8081", OPERATOR_PORT: "8080" }, 8_082],
      [{ PORT: "65535" }, 65_533],
      [{ METRICS_PORT: "9100" }, 9_100],
    ] as const)
      expect(readersMetricsPort(readSettings({ ...LEAST, ...given }))).toBe(expected);
  });

  it("reports every problem at once, with the variable and an example", () => {
    const problems = problemsOf({
      RPC_URLS: "nonsense",
      PORT: "70000",
      HOST: "0.0.0.0",
      DATABASE_SCHEMA: "pg_x",
      LOG_FORMAT: "xml",
    });
    expect(problems.map((one) => one.variable)).toEqual([
      "RPC_URLS",
      "ESCROWS",
      "REGISTRY",
      "PUBLIC_URL",
      "DATABASE_SCHEMA",
      "PORT",
      "LOG_FORMAT",
    ]);
    for (const one of problems) expect(one.example).toBe(VARIABLES[one.variable].example);
  });

  it("prints the problems as a block that names each variable and shows an example", () => {
    expect(new SettingsError(problemsOf({ ...LEAST, PORT: "0" })).message).toBe(
      'The configuration has 1 problem:\n  PORT must be an integer from 1 to 65535, not "0"\n    for example: PORT=42069',
    );
  });

  it("takes an empty or blank variable as not set, and ignores what is not its own", () => {
    expect(readSettings({ ...LEAST, DESK: "", PORT: " ", RPC_URL: "x", ESCROW: "y" })).toEqual(
      readSettings(LEAST),
    );
    expect(problem({ REGISTRY: "" })).toBe("REGISTRY is required");
  });

  it("derives PUBLIC_URL from a loopback HOST, IPv6 in brackets", () => {
    expect(readSettings({ ...LEAST, HOST: "::1", PORT: "80" }).publicUrl).toBe("http://[::1]:80");
    expect(problem({ HOST: "::" })).toContain("PUBLIC_URL is required");
  });

  it("keeps nothing with memory://, and lets DATABASE_URL win over a directory", () => {
    expect(readSettings({ ...LEAST, RAISEBOOK_DATA_DIR: "memory://" }).database).toEqual({
      kind: "pglite",
      dataDirectory: "memory://",
      directory: "memory://",
    });
    const both = readSettings({ ...LEAST, RAISEBOOK_DATA_DIR: "d", DATABASE_URL: "postgres://db/x" });
    expect(both.database.kind).toBe("postgres");
  });
});
