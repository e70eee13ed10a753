import { describe, expect, it } from "vitest";
import { A, B, LEAST, problem, problemsOf } from "../test/harness/settings.ts";
import { readSettings } from "./environment.ts";
import { VARIABLE_NAMES } from "./variables.ts";

describe("of a variable readSettings", () => {
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

  it.each([
    ["postgres://user:a#hunter2@db/x", "must be percent-encoded"],
    ["postgres://user:1#hunter2@db/x", "must be percent-encoded"],
    ["postgres://user:a/hunter2@db/x", "must be percent-encoded"],
    ["postgres://user:1/hunter2@db/x", "must be percent-encoded"],
    ["postgres://user:1?hunter2@db/x", "must be percent-encoded"],
    ["postgres://user:hunter2@/x?host=/run/postgresql", "for a socket write postgres://"],
    ["host=/run/postgresql password=hunter2", "must begin with postgres://"],
    ["postgres://user:hunter2@one:5432,two:5432/x", "names several hosts"],
    ["postgres://user:hunter2@one,two/x?target_session_attrs=read-write", "names several hosts"],
    ["postgres://user:hunter2@one/x?host=one,two", "names several hosts"],
  ])("refuses DATABASE_URL=%s with a hint, and does not repeat it", (value, expected) => {
    expect(problem({ DATABASE_URL: value })).toContain(expected);
    expect(problem({ DATABASE_URL: value })).not.toContain("hunter2");
  });

  it.each([
    "postgres://user:a%23b@db/x",
    "postgres://user:a@b:c[d%zz@db/x",
    "postgres://user:a,b@db/x",
    "postgres://user:secret@localhost/x?host=/run/postgresql",
    "postgresql:///x?host=/run/postgresql",
  ])("takes DATABASE_URL=%s as it is", (connectionString) => {
    expect(readSettings({ ...LEAST, DATABASE_URL: connectionString }).database).toEqual({
      kind: "postgres",
      connectionString,
      noticesUrl: null,
    });
  });

  it("takes the largest safe start block", () => {
    const { escrows } = readSettings({ ...LEAST, ESCROWS: `${A}@9007199254740991` });
    expect(escrows[0]?.startBlock).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each([
    ["CHAIN_ID", "0", "must be an integer from 1 to 9007199254740991"],
    ["CHAIN_ID", "-97", "must be an integer"],
    ["CHAIN_ID", "0x61", "must be an integer"],
    ["CHAIN_ID", "97.5", "must be an integer"],
    ["CHAIN_ID", "sepolia", 'not "sepolia"'],
    ["CHAIN_ID", "9007199254740992", "from 1 to 9007199254740991"],
    ["RPC_URLS", "http://a.example,,http://b.example", "empty entry 2"],
    ["RPC_URLS", "http://a.example,ws://b.example", "entry 2 must begin with http:// or https://"],
    ["WS_URL", "https://a.example", "must begin with ws:// or wss://"],
    ["DESK", "0x00", "40 hex digits"],
    ["REGISTRY", "http://raises.example/r.json", "https (http only on loopback)"],
    ["REGISTRY", "ftp://raises.example/r.json", "path, an https URL or a postgres:// URL"],
    ["REGISTRY_SIGNER", "0x12", "must be an address: 0x and 40 hex digits"],
    ["REGISTRY_SIGNER", `${A}@1`, "must be an address"],
    ["PUBLIC_URL", "https://raises.example/", "must not end with a slash"],
    ["PUBLIC_URL", "https://raises.example/v1", "without a path"],
    ["PUBLIC_URL", "https://raises.example?x", "no query"],
    ["PUBLIC_URL", "https://u:p@raises.example", "no user name"],
    ["PUBLIC_URL", "http://raises.example", "https (http only on loopback)"],
    ["PUBLIC_URL", "raises.example", "not a URL"],
    ["APP_URL", "ftp://raises.example", "https://"],
    ["CONTACT", "desk@", "is not an e-mail address"],
    ["CONTACT", "ftp://raises.example", "https://"],
    ["CONTACT", "the desk", "is not a URL"],
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
    ["SITE_NAME", "Open\u{E0141}Book", "invisible"],
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
    ["LEDGER", "ftp://raises.example/book", "must be a path or an https URL"],
    ["LEDGER", "http://raises.example/book", "must use https (http only on loopback)"],
    ["PUBLIC_NODE", "ws://node.example", "must begin with https://"],
    ["PUBLIC_NODE", "http://node.example", "must use https (http only on loopback)"],
    ["PUBLIC_NODE", "http://127.0.0.2:8545", "must use https (http only at 127.0.0.1 and localhost)"],
    ["PUBLIC_NODE", "https://me:secret@node.example", "must carry no user name or password"],
    ["EMBED_ORIGINS", "blog.example", "entry 1 must be an origin, such as https://blog.example"],
    ["EMBED_ORIGINS", "https://blog.example, ", "has an empty entry 2"],
    ["EMBED_ORIGINS", "https://blog.example,*", "must be * alone, or origins"],
    ["EMBED_ORIGINS", "none,https://blog.example", "must be none alone, or origins"],
    ["EMBED_ORIGINS", "https://blog.example/post", "entry 1 must be an origin alone"],
    ["EMBED_ORIGINS", "https://me:secret@blog.example", "entry 1 must be an origin alone"],
    ["EMBED_ORIGINS", "https://*.blog.example", "entry 1 must be an origin, such as"],
    ["EMBED_ORIGINS", "https://blog.example;script-src", "entry 1 must be an origin"],
    ["EMBED_ORIGINS", "ftp://blog.example", "entry 1 must be an origin"],
    ["FINALITY_DEPTH", "239", "240 to 10000"],
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
});

it("a private key in place of its address is refused, and not repeated", () => {
  const key = "c0ffee".repeat(11).slice(0, 64);
  for (const text of [key, `0x${key}`]) {
    expect(problem({ REGISTRY_SIGNER: text })).toContain("has the length of a private key");
    expect(problem({ REGISTRY_SIGNER: text })).not.toContain(key);
  }
});
