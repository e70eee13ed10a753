/**
 * The demo on free ports, as a user runs it, without a live market.
 * @module
 */
import { type DemoProcess, startDemo } from "../../test/harness/demo.ts";
import { freePort } from "../../test/harness/free-port.ts";

type RunningDemo = DemoProcess & AsyncDisposable & { port: number };

/** Resolves when it says that it is ready. */
export async function startStillDemo(): Promise<RunningDemo> {
  const [port, rpcPort, appPort] = [await freePort(), await freePort(), await freePort()];
  const ports = { "--port": port, "--rpc-port": rpcPort, "--app-port": appPort };
  const demo = startDemo(
    "--still",
    ...Object.entries(ports).flatMap(([name, value]) => [name, String(value)]),
  );
  const running = {
    ...demo,
    port,
    async [Symbol.asyncDispose]() {
      demo.process.kill("SIGINT");
      await demo.exited;
    },
  };
  await demo.says("Raisebook is ready").catch(async (error: unknown) => {
    await running[Symbol.asyncDispose]();
    throw error;
  });
  return running;
}
