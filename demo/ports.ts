/**
 * Whether the ports of the demo are free, asked before anything starts.
 * @module
 */
import { listenOnce } from "../daemon/check-port.ts";

/** Everything of the demo listens here. */
export const HOST = "127.0.0.1";

export type WantedPort = {
  readonly port: number;
  /** Who wants it, for the message. */
  readonly what: string;
  /** The option that chooses another. */
  readonly option: string;
};

/** One sentence for each port that cannot be had. */
export async function busyPorts(wanted: readonly WantedPort[]): Promise<string[]> {
  const sentences = await Promise.all(wanted.map(complain));
  return sentences.filter((sentence) => sentence !== null);
}

async function complain({ port, what, option }: WantedPort): Promise<string | null> {
  const code = await listenOnce(HOST, port);
  if (code === null) return null;
  const another = `choose another with ${option} (for example ${option} ${port < 65_535 ? port + 1 : port - 1})`;
  if (code === "EADDRINUSE") {
    return `Port ${port} of ${what} is in use on ${HOST}: stop what listens there, or ${another}.`;
  }
  if (code === "EACCES") return `Port ${port} of ${what} is not for this account: ${another}.`;
  return `Port ${port} of ${what} cannot be used (${code}): ${another}.`;
}
