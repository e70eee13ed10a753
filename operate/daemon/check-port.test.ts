import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { freePort } from "../../test/harness/free-port.ts";
import { checkPort, checkPublicPort } from "./check-port.ts";

describe("checkPort", () => {
  it("finds a port busy while a process listens, and free afterwards", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const operatorPort = await freePort();
    const settings = { host: "127.0.0.1", port, operatorPort, metricsPort: null };
    const [problem] = await checkPort(settings);
    expect(problem).toMatchObject({ variable: "PORT", example: "42069" });
    expect(problem?.problem).toContain(`something is already listening on 127.0.0.1:${port}`);
    const [forOperator] = await checkPort({ ...settings, port: operatorPort, operatorPort: port });
    expect(forOperator).toMatchObject({ variable: "OPERATOR_PORT" });
    expect(forOperator?.problem).toContain(`something is already listening on 127.0.0.1:${port}`);
    const ofReaders = { ...settings, port: await freePort(), metricsPort: port };
    expect(await checkPort(ofReaders)).toMatchObject([{ variable: "METRICS_PORT" }]);
    await new Promise((resolve) => server.close(resolve));
    expect(await checkPort(settings)).toEqual([]);
    expect(await checkPort(settings)).toEqual([]);
  });

  it("blames HOST for an address of another machine", async () => {
    const [problem] = await checkPublicPort({ host: "192.0.2.1", port: 4_000 });
    expect(problem?.variable).toBe("HOST");
    expect(problem?.problem).toContain("192.0.2.1:4000 is not an address of this machine");
  });
});
