import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, it } from "vitest";
import { type Environment, environmentOf, readersMetricsPort, readSettings } from "./environment.ts";
import { type Problem, SettingsError } from "./problems.ts";
import { VARIABLE_NAMES, VARIABLES } from "./variables.ts";

const A = `0x${"a1".repeat(20)}`;
const B = `0x${"b2".repeat(20)}`;
const LEAST: Environment = {
  RPC_URLS: "http://127.0.0.1:8545",
  ESCROWS: `${A}@7`,
  REGISTRY: "./registry.json",
};

function problemsOf(env: Environment): readonly Problem[] {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

function problem(env: Environment): string {
  return problemsOf({ ...LEAST, ...env })
    .map((one) => `${one.variable} ${one.problem}`)
    .join("; ");
}

describe("readSettings", () => {
  it("fills in the defaults", () => {
    expect(readSettings(LEAST)).toEqual({
      chainId: 97,
      rpcUrls: ["http://127.0.0.1:8545"],
      wsUrl: null,
      ...{ webhooks: null, webhooksReader: null, webhooksMetricsPort: null },
      logsRange: null,
      rpcConcurrency: 32,
      fastForward: true,
      escrows: [{ address: A, startBlock: 7 }],
      escrowFactory: null,
      desk: null,
      holders: false,
      registry: { kind: "file", path: "./registry.json" },
      registrySigner: null,
      knowledge: join(import.meta.dirname, "../knowledge"),
      publicUrl: "http://127.0.0.1:42069",
      appUrl: null,
      explorer: null,
      siteName: "Raisebook",
      siteLogo: null,
      siteAccent: "#0f6b74",
      exposeAccounts: false,
      auditEvery: null,
      proofCalls: 60,
      database: { kind: "pglite", dataDirectory: ".raisebook", directory: ".raisebook/pglite" },
      databaseSchema: null,
      dropSchemasAfter: 86_400,
      host: "127.0.0.1",
      port: 42069,
      operatorPort: 42070,
      metricsPort: null,
      rateLimit: null,
      trustedProxies: [],
      logFormat: "pretty",
      logLevel: "info",
      pollingInterval: 1000,
    });
  });

  it("reads every variable", () => {
    const settings = readSettings({
      RPC_URLS: "https://one.example/KEY, https://two.example",
      WS_URL: "wss://one.example/ws",
      ETH_GET_LOGS_RANGE: "2000",
      RPC_CONCURRENCY: "8",
      FAST_FORWARD: "false",
      ESCROWS: `${A.toUpperCase().replace("0X", "0x")}@1 , ${B}@2`,
      ESCROW_FACTORY: `${A}@3`,
      DESK: `${B}@4`,
      HOLDERS: "true",
      REGISTRY: "https://raises.example/registry.json",
      REGISTRY_SIGNER: B.replace("b", "B"),
      KNOWLEDGE: "./pages",
      PUBLIC_URL: "https://Raises.example:443",
      APP_URL: "https://app.raises.example/sign",
      EXPLORER_URL: "https://scan.example/?q={tx}, https://scan.example/a/{address}#code",
      SITE_NAME: " Open <b>Book</b> & Co ",
      SITE_LOGO: "./logo.png",
      SITE_ACCENT: "#A3c",
      EXPOSE_ACCOUNTS: "true",
      AUDIT_EVERY: "600",
      PROOF_CALLS: "600",
      DATABASE_URL: "postgresql://u:p@db.example/x",
      DATABASE_SCHEMA: "live_1",
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
      rpcUrls: ["https://one.example/KEY", "https://two.example"],
      wsUrl: "wss://one.example/ws",
      logsRange: 2000,
      rpcConcurrency: 8,
      fastForward: false,
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
      explorer: {
        tx: "https://scan.example/?q={tx}",
        address: "https://scan.example/a/{address}#code",
        block: null,
      },
      siteName: "Open <b>Book</b> & Co",
      siteLogo: "./logo.png",
      siteAccent: "#aa33cc",
      exposeAccounts: true,
      auditEvery: 600,
      proofCalls: 600,
      database: { kind: "postgres", connectionString: "postgresql://u:p@db.example/x" },
      databaseSchema: "live_1",
      dropSchemasAfter: null,
      host: "0.0.0.0",
      port: 8080,
      operatorPort: 9090,
      metricsPort: 9091,
      rateLimit: 600,
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

  it("wants ESCROWS or ESCROW_FACTORY", () => {
    expect(problem({ ESCROWS: undefined })).toBe("ESCROWS or ESCROW_FACTORY is required (both may be set)");
    expect(readSettings({ ...LEAST, ESCROWS: undefined, ESCROW_FACTORY: `${B}@0` })).toMatchObject({
      escrows: [],
      escrowFactory: { address: B, startBlock: 0 },
    });
  });

  it.each([
    ["0x12@1", "40 hex digits"],
    [A, "no start block"],
    [`${A}@`, "no start block"],
    [`${A}@1@2`, "no start block"],
    [`${A}@-1`, "not a block number"],
    [`${A}@1e3`, "not a block number"],
    [`${A}@9007199254740992`, "not a block number"],
    [`${A}@1,`, "40 hex digits"],
    [`${A}@1,${A.replace("a", "A")}@2`, `names ${A} twice`],
  ])("refuses ESCROWS=%s", (value, expected) => {
    expect(problem({ ESCROWS: value })).toContain(expected);
  });

  it("takes the largest safe start block", () => {
    const { escrows } = readSettings({ ...LEAST, ESCROWS: `${A}@9007199254740991` });
    expect(escrows[0]?.startBlock).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each([
    ["RPC_URLS", "http://a.example,,http://b.example", "empty entry 2"],
    ["RPC_URLS", "http://a.example,ws://b.example", "entry 2 must begin with http:// or https://"],
    ["WS_URL", "https://a.example", "must begin with ws:// or wss://"],
    ["DESK", "0x00", "40 hex digits"],
    ["REGISTRY", "http://raises.example/r.json", "https (http only on loopback)"],
    ["REGISTRY", "ftp://raises.example/r.json", "file path or an https URL"],
    ["REGISTRY_SIGNER", "0x12", "must be an address: 0x and 40 hex digits"],
    ["REGISTRY_SIGNER", `${A}@1`, "must be an address"],
    ["PUBLIC_URL", "https://raises.example/", "must not end with a slash"],
    ["PUBLIC_URL", "https://raises.example/v1", "without a path"],
    ["PUBLIC_URL", "https://raises.example?x", "no query"],
    ["PUBLIC_URL", "https://u:p@raises.example", "no user name"],
    ["PUBLIC_URL", "http://raises.example", "https (http only on loopback)"],
    ["PUBLIC_URL", "raises.example", "not a URL"],
    ["APP_URL", "ftp://raises.example", "https://"],
    ["RATE_LIMIT", "0", "from 1 to 100000"],
    ["TRUSTED_PROXIES", "proxy.example", "no IP address and no CIDR block"],
    ["TRUSTED_PROXIES", "10.0.0.0/33", "no IP address and no CIDR block"],
    ["TRUSTED_PROXIES", "::1/129", "no IP address and no CIDR block"],
    ["TRUSTED_PROXIES", "10.0.0.1,", "no IP address and no CIDR block"],
    ["TRUSTED_PROXIES", "10.0.0.0/8/8", "no IP address and no CIDR block"],
    ["TRUSTED_PROXIES", "fe80::1%eth0", "no IP address and no CIDR block"],
    ["WEBHOOKS_READER", "reader:42069", "must begin with http:// or https://"],
    ["WEBHOOKS_READER", "http://u:p@reader:42069", "no user name"],
    ["WEBHOOKS_READER", "http://reader:42069/v1", "without a path"],
    ["DATABASE_SCHEMA", "raisebook_webhooks", "reserved"],
    ["EXPLORER_URL", "scan.example", "not a URL"],
    ["EXPLORER_URL", "http://scan.example", "https (http only on loopback)"],
    ["EXPLORER_URL", "javascript:alert(1)//{tx}", "https://"],
    ["EXPLORER_URL", "http://scan.example/tx/{tx}", "https (http only on loopback)"],
    ["EXPLORER_URL", "https://u:p@scan.example/tx/{tx}", "no user name"],
    ["EXPLORER_URL", "https://scan.example?chain=97", "no query"],
    ["EXPLORER_URL", "https://scan.example/{hash}", 'has "{hash}", which is not {tx}, {address} or {block}'],
    ["EXPLORER_URL", "https://scan.example/{tx", "percent-encoded"],
    ["EXPLORER_URL", "https://scan.example/{tx}/{block}", "one of {tx}, {address} and {block} in each entry"],
    ["EXPLORER_URL", "https://{tx}.scan.example/", "must have {tx} behind the host"],
    ["EXPLORER_URL", "https://scan.example/{tx},https://scan.example/t/{tx}", "has two pages with {tx}"],
    ["EXPLORER_URL", "https://scan.example,https://scan.example/t/{tx}", "has an entry without"],
    ["EXPLORER_URL", "https://scan.example/{tx},", "has an entry without"],
    ["EXPLORER_URL", 'https://scan.example/"><script>{tx}', "percent-encoded"],
    ["EXPLORER_URL", "https://scan.example/a|b`{tx}", "percent-encoded"],
    ["SITE_NAME", "a".repeat(61), "1 to 60 characters, not 61"],
    ["SITE_NAME", "Open\nBook", "no control"],
    ["SITE_NAME", "Open\u202eBook", "bidirectional"],
    ["SITE_NAME", "Open\ud800Book", "no control"],
    ["SITE_NAME", "\u200b", "a letter, a digit or a symbol"],
    ["SITE_ACCENT", "#12345", "3 or 6 hex digits"],
    ["SITE_ACCENT", "#12345678", "3 or 6 hex digits"],
    ["SITE_ACCENT", "teal", "3 or 6 hex digits"],
    ["SITE_ACCENT", "##fff", "3 or 6 hex digits"],
    ["DATABASE_URL", "mysql://a", "postgres://"],
    ["DATABASE_SCHEMA", "Live", "lowercase"],
    ["DATABASE_SCHEMA", "a".repeat(46), "1 to 45"],
    ["DATABASE_SCHEMA", "ponder_sync", "reserved"],
    ["DATABASE_SCHEMA", "pg_catalog", "reserved"],
    ["HOST", "a b", "not a host name"],
    ["PORT", "80.5", "integer"],
    ["ETH_GET_LOGS_RANGE", "0", "1 to 1000000"],
    ["RPC_CONCURRENCY", "0", "1 to 1000"],
    ["FAST_FORWARD", "yes", "true or false"],
    ["LOG_LEVEL", "loud", "error or warn or info"],
    ["POLLING_INTERVAL", "99", "100 to 60000"],
    ["POLLING_INTERVAL", "60001", "100 to 60000"],
  ])("refuses %s=%s", (variable, value, expected) => {
    expect(problem({ [variable]: value })).toContain(`${variable} `);
    expect(problem({ [variable]: value })).toContain(expected);
  });

  it.each([
    ["https://scan.example", "https://scan.example"],
    ["https://scan.example/", "https://scan.example"],
    ["http://127.0.0.1:4000/eth", "http://127.0.0.1:4000/eth"],
  ])("adds the usual pages to the root %s of an explorer", (given, root) => {
    const { explorer } = readSettings({ ...LEAST, EXPLORER_URL: given });
    expect(explorer).toEqual({
      tx: `${root}/tx/{tx}`,
      address: `${root}/address/{address}`,
      block: `${root}/block/{block}`,
    });
  });

  it("counts the characters of a site's name as people do, and takes a colour without #", () => {
    expect(readSettings({ ...LEAST, SITE_NAME: "📖".repeat(60) }).siteName).toBe("📖".repeat(60));
    expect(problem({ SITE_NAME: "📖".repeat(61) })).toContain("not 61");
    expect(readSettings({ ...LEAST, SITE_ACCENT: "0F6B74" }).siteAccent).toBe("#0f6b74");
  });

  it("never repeats a URL, which may carry a key, whichever variable it was put into", () => {
    const refusedAnywhere = "mysql://user:hunter2@a.example/hunter2?hunter2";
    for (const name of VARIABLE_NAMES) {
      for (const value of [refusedAnywhere, `0x1,${refusedAnywhere}`, `${A}@${refusedAnywhere}`]) {
        const problems = problemsOf({ ...LEAST, [name]: value });
        expect(JSON.stringify(problems), name).not.toContain("hunter2");
      }
    }
    expect(problem({ RPC_URLS: refusedAnywhere })).toContain("entry 1 must begin with");
    expect(problem({ HOST: refusedAnywhere })).toContain("a URL is not a host name");
  });

  it.each(["http://user:hunter2@a.example", "https://hunter2@a.example/v2"])(
    "refuses RPC_URLS=%s, which the indexer could never ask, and says what to do",
    (url) => {
      const said = problem({ RPC_URLS: `http://b.example,${url}` });
      expect(said).toContain("RPC_URLS entry 2 has a user name or password before its host");
      expect(said).toContain("key in its path or query, or a proxy");
      expect(said).not.toContain("hunter2");
      expect(readSettings({ ...LEAST, WS_URL: url.replace("http", "ws") }).wsUrl).toBe(
        url.replace("http", "ws"),
      );
    },
  );

  it("allows http on loopback, by any of its names", () => {
    for (const host of ["localhost", "127.0.0.1", "127.8.9.1", "[::1]"]) {
      expect(readSettings({ ...LEAST, PUBLIC_URL: `http://${host}:1` }).publicUrl).toBe(`http://${host}:1`);
      expect(readSettings({ ...LEAST, REGISTRY: `http://${host}:1/r` }).registry.kind).toBe("url");
    }
    for (const host of ["127.0.0.1.evil.example", "128.0.0.1", "localhost.example"]) {
      expect(problem({ PUBLIC_URL: `http://${host}` })).toContain("https");
    }
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

describe("environmentOf", () => {
  it("reads back as the same settings, whatever the parent's environment says", () => {
    const cases: Environment[] = [
      LEAST,
      {
        ...LEAST,
        RAISEBOOK_DATA_DIR: "memory://",
        ESCROWS: `${A}@1,${B}@2`,
        ESCROW_FACTORY: `${B}@3`,
        DESK: `${A}@4`,
      },
      {
        ...LEAST,
        DATABASE_URL: "postgres://db/x",
        WS_URL: "ws://127.0.0.1:1",
        HOST: "0.0.0.0",
        PUBLIC_URL: "https://x.example",
        SITE_NAME: `"Quotes' & <b>"`,
        SITE_LOGO: "./logo.svg",
        SITE_ACCENT: "fff",
      },
    ];
    for (const env of cases) {
      const settings = readSettings(env);
      const parent = {
        DATABASE_URL: "postgres://other/x",
        DESK: `${B}@9`,
        WS_URL: "ws://other",
        DATABASE_SCHEMA: "other",
        SITE_LOGO: "./other.svg",
      };
      expect(readSettings({ ...parent, ...environmentOf(settings) })).toEqual(settings);
    }
  });
});

it("a private key in place of its address is refused, and not repeated", () => {
  const key = "c0ffee".repeat(11).slice(0, 64);
  for (const text of [key, `0x${key}`]) {
    expect(problem({ REGISTRY_SIGNER: text })).toContain("has the length of a private key");
    expect(problem({ REGISTRY_SIGNER: text })).not.toContain(key);
  }
});

describe(".env.example", () => {
  const text = readFileSync(new URL("../.env.example", import.meta.url), "utf8");

  it("names every variable, and none that is not read", () => {
    const named = [...text.matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name);
    expect([...new Set(named)].toSorted()).toEqual(VARIABLE_NAMES.toSorted());
  });

  it("is a configuration that reads, also with every commented line switched on", () => {
    expect(readSettings(parseEnv(text)).rpcUrls).toHaveLength(1);
    const everything = parseEnv(text.replace(/^# ([A-Z_]+=)/gm, "$1"));
    expect(Object.keys(everything).toSorted()).toEqual(VARIABLE_NAMES.toSorted());
    expect(readSettings(everything).database.kind).toBe("postgres");
  });
});

describe("the examples", () => {
  it("are values that their own variable takes", () => {
    for (const name of VARIABLE_NAMES) {
      expect(VARIABLES[name].schema.safeParse(VARIABLES[name].example).success, name).toBe(true);
    }
  });
});
