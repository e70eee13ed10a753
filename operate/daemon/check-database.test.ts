import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { readSettings } from "../../config/environment.ts";
import { checkDatabase } from "./check-database.ts";

const LEAST = { RPC_URLS: "http://127.0.0.1:1", ESCROWS: `0x${"a1".repeat(20)}@1`, REGISTRY: "r.json" };
const check = (url: string | undefined) => checkDatabase(readSettings({ ...LEAST, DATABASE_URL: url }), 300);

describe("checkDatabase", () => {
  it("finds out whether PostgreSQL answers, and shows no password", async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const url = `postgres://user:hunter2@127.0.0.1:${port}/market`;
    const [closed] = await check(url);
    expect(closed?.problem).toBe(`at 127.0.0.1:${port} cannot be used (Connection terminated unexpectedly)`);
    await new Promise((resolve) => server.close(resolve));
    const [refused] = await check(url);
    expect(refused?.variable).toBe("DATABASE_URL");
    expect(refused?.problem).toBe(
      `at 127.0.0.1:${port} cannot be used (connect ECONNREFUSED 127.0.0.1:${port})`,
    );
  });

  it("waits no longer than it is told to", async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const [problem] = await check(`postgres://user:hunter2@127.0.0.1:${port}/market`);
    expect(problem?.problem).toMatch(/cannot be used \(.*timeout/);
    silent.close();
  });

  it("connects to nothing for the embedded database, and names a socket file as such", async () => {
    expect(await check(undefined)).toEqual([]);
    const [problem] = await check("postgres://user:hunter2@127.0.0.1:1/market?host=/nowhere/postgresql");
    expect(problem?.problem).toMatch(/^at its socket cannot be used \(.*ENOENT/);
    expect(problem?.problem).not.toContain("hunter2");
  });
});
