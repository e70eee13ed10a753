/** @module The demo on free ports, as a user runs it. */
import { type DemoProcess, startDemo } from "../../test/harness/demo.ts";
import { freePort } from "../../test/harness/free-port.ts";

type DemoOnPort = DemoProcess & { port: number };
type RunningDemo = DemoOnPort & AsyncDisposable;

export async function startDemoOnFreePorts(...options: string[]): Promise<DemoOnPort> {
  const [port, rpcPort, appPort] = [await freePort(), await freePort(), await freePort()];
  const ports = { "--port": port, "--rpc-port": rpcPort, "--app-port": appPort };
  const given = Object.entries(ports).flatMap(([name, value]) => [name, String(value)]);
  return { ...startDemo(...options, ...given), port };
}

/** Without a live market. Resolves when it says that it is ready. */
export async function startStillDemo(): Promise<RunningDemo> {
  const demo = await startDemoOnFreePorts("--still");
  const running = {
    ...demo,
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
