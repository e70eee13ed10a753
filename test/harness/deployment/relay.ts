/**
 * Joins two addresses, each a port of 127.0.0.1 or the path of a Unix socket, which is reached from other network namespaces too.
 *
 *     node relay.ts <listen at> <connect to> [<listen at> <connect to>]…
 * @module
 */
import { connect, createServer, type Server } from "node:net";
import { pipeline } from "node:stream";

type Address = number | string;

const optionsOf = (address: Address) =>
  typeof address === "number" ? { host: "127.0.0.1", port: address } : { path: address };

export async function startRelay(from: Address, to: Address): Promise<Server> {
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect(optionsOf(to));
    pipeline(near, far, () => {});
    pipeline(far, near, () => {});
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(optionsOf(from), resolve);
  await promise;
  return server;
}

if (import.meta.main) {
  const addresses = process.argv.slice(2).map((text) => (/^\d+$/.test(text) ? Number(text) : text));
  for (let index = 0; index + 1 < addresses.length; index += 2)
    await startRelay(addresses[index] ?? "", addresses[index + 1] ?? "");
  process.stdout.write("ready\n");
}
