import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ROOT, readDocument } from "../../test/harness/documents/document.ts";
import { placeOf } from "../../test/harness/documents/places.ts";
import { freePort } from "../../test/harness/free-port.ts";
import { PATIENCE } from "../../test/harness/patience.ts";
import { type Conduct, type Receiver, startReceiver } from "../../test/harness/webhook-receiver.ts";
import { createSender, headersOf } from "./send.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OLD = `whsec_${Buffer.alloc(24, 9).toString("base64")}`;
const UPGRADE = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
const MESSAGE = { id: "5-1-aaaaaaaa", body: '{"type":"ledger.repaid","data":{"publicId":"lst_a"}}' };

it("signs as the specification's own test vector says, with each secret", () => {
  // From libraries/javascript/src/webhook.test.ts of standard-webhooks.
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", body: '{"test": 2432232314}' };
  const headers = headersOf(message, [secret, SECRET], 1_614_265_330_900);
  expect(headers).toMatchObject({ "webhook-id": message.id, "webhook-timestamp": "1614265330" });
  const signatures = headers["webhook-signature"]?.split(" ") ?? [];
  expect(signatures).toHaveLength(2);
  expect(signatures[0]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

it("is verified by the receiver of the document", async () => {
  const { snippets } = readDocument("docs/webhooks.md");
  const [snippet] = snippets.filter((one) => placeOf(one) === "receiver");
  // Packages are found from here.
  const file = join(ROOT, `node_modules/.cache/webhook-receiver-${process.pid}.mjs`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, snippet?.text ?? "");
  const port = await freePort();
  const env = { PATH: process.env.PATH, WEBHOOK_SECRET: SECRET, PORT: `${port}` };
  const receiver = spawn(process.execPath, [file], { env });
  let printed = "";
  receiver.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  try {
    const target = { url: `http://127.0.0.1:${port}/`, privateNetworks: ["127.0.0.1"] };
    const send = createSender({ ...target, secrets: [SECRET] });
    await vi.waitFor(async () => expect(await send(MESSAGE)).toEqual({ kind: "taken" }), PATIENCE);
    expect(await send(MESSAGE)).toEqual({ kind: "taken" });
    expect(printed).toBe("ledger.repaid lst_a\n");
    expect(await createSender({ ...target, secrets: [OLD] })(MESSAGE)).toMatchObject({
      kind: "refused",
      reason: "400",
    });
  } finally {
    receiver.kill("SIGKILL");
    rmSync(file);
  }
});

describe("a receiver", () => {
  let receiver: Receiver;
  let does: Conduct = { status: 204 };
  const privateNetworks = ["127.0.0.0/8"];
  beforeAll(async () => {
    receiver = await startReceiver(OLD, () => does);
  });
  afterAll(() => receiver.die());
  const send = (change: object = {}) =>
    createSender({ url: receiver.url, secrets: [SECRET, OLD], privateNetworks, ...change })(MESSAGE);

  it.each([
    [{ status: 200 }, { kind: "taken" }],
    [{ status: 299 }, { kind: "taken" }],
    ["drops after it has answered", { kind: "taken" }],
    ["drops before it answers", { kind: "refused", reason: "no answer (ECONNRESET)", retryAfter: null }],
    [{ status: 410 }, { kind: "gone" }],
    [
      { status: 503, retryAfter: "120" },
      { kind: "refused", reason: "503", retryAfter: 120_000 },
    ],
    [{ status: 429 }, { kind: "refused", reason: "429", retryAfter: null }],
    [{ status: 404 }, { kind: "refused", reason: "404", retryAfter: null }],
  ] as const)("that answers with %j: %j", async (conduct, outcome) => {
    does = conduct;
    expect(await send()).toEqual(outcome);
    // It knows the old secret alone.
    expect(receiver.problems).toEqual([]);
    expect(receiver.attempts.at(-1)).toMatchObject(MESSAGE);
  });

  it("gets no more once it asks for no more", async () => {
    const { length } = receiver.attempts;
    does = { status: 410 };
    const sender = createSender({ url: receiver.url, secrets: [SECRET, OLD], privateNetworks });
    for (let time = 0; time < 2; time++) expect(await sender(MESSAGE)).toEqual({ kind: "gone" });
    expect(receiver.attempts).toHaveLength(length + 1);
  });

  it("is not followed if it redirects", async () => {
    const { length } = receiver.attempts;
    does = { status: 307, location: `http://127.0.0.1:${receiver.port}/elsewhere` };
    expect(await send()).toEqual({
      kind: "refused",
      reason: "307: redirects are not followed",
      retryAfter: null,
    });
    expect(receiver.attempts.slice(length).map(({ path }) => path)).toEqual(["/in"]);
  });

  it("is given up if it does not answer in time", async () => {
    does = { status: 200, afterMs: 1_000 };
    const { url } = receiver;
    const impatient = createSender({ url, secrets: [SECRET, OLD], privateNetworks }, 100);
    expect(await impatient(MESSAGE)).toEqual({
      kind: "refused",
      reason: "no answer within 0.1 s",
      retryAfter: null,
    });
  });

  const line = `X-More: ${"x".repeat(10_000)}\r\n`;
  const chunk = `30d40\r\n${"x".repeat(200_000)}\r\n`;
  it.each([
    ["101 and another protocol", UPGRADE, "", "101"],
    ["101 without a protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n", "", "101"],
    ["100 and nothing else", "HTTP/1.1 100 Continue\r\n\r\n", "", "no answer within 0.5 s"],
    ["103 without end", "", "HTTP/1.1 103 Early Hints\r\n\r\n", "no answer within 0.5 s"],
    ["a head without end", "HTTP/1.1 200 OK\r\n", line, "no answer (HPE_HEADER_OVERFLOW)"],
    ["a slow head without end", "HTTP/1.1 200 OK\r\n", "X-A: b\r\n", "no answer within 0.5 s"],
    ["a body without end", CHUNKED, chunk, "200, with a body that does not end"],
    ["a slow body without end", CHUNKED, "1\r\nx\r\n", "200, with a body that does not end"],
  ])("has not taken the message if it answers with %s", async (_, first, again, reason) => {
    const open = new Set<Socket>();
    const server = createServer((socket) => {
      open.add(socket);
      socket.on("error", () => {}).on("close", () => open.delete(socket));
      socket.once("data", () => {
        socket.write(first);
        const timer = setInterval(() => again !== "" && !socket.writableNeedDrain && socket.write(again), 5);
        socket.once("close", () => clearInterval(timer));
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const sender = createSender({ url, secrets: [SECRET], privateNetworks }, 500);
    for (let time = 0; time < 2; time++)
      expect(await sender(MESSAGE)).toEqual({ kind: "refused", reason, retryAfter: null });
    await vi.waitFor(() => expect(open.size).toBe(0));
    server.close();
  });

  it.each([
    ["a name of this machine", (port: number) => `https://localhost:${port}/`, []],
    ["a literal address", (port: number) => `https://127.0.0.1:${port}/`, []],
    ["another network than the entry's", (port: number) => `http://localhost:${port}/`, ["10.0.0.0/8"]],
  ])("is not connected to at %s", async (_, urlOf, networks) => {
    const { length } = receiver.attempts;
    const outcome = await send({ url: urlOf(receiver.port), privateNetworks: networks });
    expect(outcome).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("has no address that it may be sent to"),
    });
    expect(receiver.attempts).toHaveLength(length);
  });

  it("is refused without its address if it does not exist", async () => {
    const outcome = await send({ url: "http://127.0.0.1:1/hunter2" });
    expect(outcome).toEqual({ kind: "refused", reason: "no answer (ECONNREFUSED)", retryAfter: null });
  });
});
