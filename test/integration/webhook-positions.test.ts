/** The positions of webhooks in PostgreSQL: what the deliverer says of them, and that they can be moved. */
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "../../operate/webhooks/store.ts";
import { readDocument } from "../harness/documents/document.ts";
import { freePort } from "../harness/free-port.ts";
import { startPostgres } from "../harness/postgres.ts";
import { recordedLog } from "../harness/snapshot.ts";
import { startTcpProxy } from "../harness/tcp-proxy.ts";

const [OLD, NEW] = ["http://old.localhost", "http://new.localhost"];

function positionsAt(connectionString: string, publicUrl: string) {
  const store = openStore({
    chainId: 97,
    publicUrl,
    database: { kind: "postgres", connectionString, noticesUrl: null },
  });
  onTestFinished(() => store.close());
  return store;
}

it("warns when they are another service's, which the statements of the documentation move", async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const { log, lines } = recordedLog();
  const { signal } = new AbortController();
  const old = positionsAt(postgres.connectionString, OLD);
  await old.turn(signal, log);
  await old.put("target/books", { cursor: "7-0-aaaaaaaa" });
  expect(lines).toEqual([]);

  const moved = positionsAt(postgres.connectionString, NEW);
  await moved.turn(signal, log);
  expect(lines).toMatchObject([{ level: "warn", hint: expect.stringContaining("docs/webhooks.md") }]);
  const {
    service,
    others: [other],
  } = lines[0] as { service: number; others: number[] };
  // It began with a position of its own before the operator looked.
  await moved.put("target/books", { cursor: "9-0-aaaaaaaa" });
  await moved.turn(signal, log);
  expect(lines).toHaveLength(1);

  const [snippet] = readDocument("docs/webhooks.md").snippets.filter(({ words }) => words[0] === "moved");
  const statements = snippet?.text.replaceAll("1111", `${service}`).replaceAll("2222", `${other}`);
  await postgres.query(statements ?? "");
  expect(await moved.get("target/books")).toEqual({ cursor: "7-0-aaaaaaaa" });
  expect(await old.entries("")).toEqual([]);
});

it("says once that they cannot be read, and once when they can be again", async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const database = new URL(postgres.connectionString);
  const [nowhere, open] = [await freePort(), Number(database.port)];
  let connections = 0;
  const proxy = await startTcpProxy(() => (++connections > 2 ? open : nowhere));
  onTestFinished(() => proxy.stop());
  database.port = `${proxy.port}`;
  const { log, lines } = recordedLog();
  const turn = positionsAt(database.href, OLD).turn(new AbortController().signal, log);
  expect(await turn).toMatchObject({ aborted: false });
  expect(lines).toMatchObject([
    { level: "warn", msg: "The positions of webhooks cannot be read" },
    { level: "info", msg: "The positions of webhooks can be read again" },
  ]);
});
