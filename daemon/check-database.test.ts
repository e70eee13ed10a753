import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { readSettings } from "../config/environment.ts";
import { checkDatabase } from "./check-database.ts";

const LEAST = { RPC_URLS: "http://127.0.0.1:1", ESCROWS: `0x${"a1".repeat(20)}@1`, REGISTRY: "r.json" };
const check = (url: string | undefined) => checkDatabase(readSettings({ ...LEAST, DATABASE_URL: url }), 300);

describe("checkDatabase", () => {
  it("finds out whether somebody listens, and shows no password", async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const url = `postgres://user:hunter2@127.0.0.1:${port}/market`;
    expect(await check(url)).toEqual([]);
    await new Promise((resolve) => server.close(resolve));
    const [problem] = await check(url);
    expect(problem?.variable).toBe("DATABASE_URL");
    expect(problem?.problem).toBe(`at 127.0.0.1:${port} cannot be reached (ECONNREFUSED)`);
  });

  it("asks nobody for the embedded database and for a socket file", async () => {
    expect(await check(undefined)).toEqual([]);
    expect(await check("postgres://user@127.0.0.1:1/market?host=/run/postgresql")).toEqual([]);
    expect(await check("postgres:///market")).toEqual([]);
  });
});
