/** @module The client of a request, for limits that count by client. */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { blockListOf, familyOf } from "../../config/networks.ts";

type Request = Pick<IncomingMessage, "headers"> & {
  socket: Pick<IncomingMessage["socket"], "remoteAddress">;
};

/**
 * Names the client of a request: its IPv4 address, or the /64 network of its IPv6 address, which usually belongs to one client.
 *
 * The client is the peer, unless that is a trusted proxy: then it is the last address in `X-Forwarded-For` that is not a trusted
 * proxy. Anything before it may be forged. `Forwarded` (RFC 7239) is not read: a proxy that adds to one of the two headers passes
 * on the other as the client wrote it.
 * @param trustedProxies addresses and CIDR blocks
 */
export function createClientNamer(trustedProxies: readonly string[]): (request: Request) => string {
  const proxies = blockListOf(trustedProxies);
  const isProxy = (address: string) => proxies.check(address, familyOf(address));

  return ({ headers, socket }) => {
    let client = socket.remoteAddress;
    // A closed connection has none.
    if (client === undefined || isIP(client) === 0) return "unknown";
    const forwarded = headers["x-forwarded-for"];
    if (trustedProxies.length === 0 || forwarded === undefined) return networkOf(client);
    // Node joins several headers of this name with commas.
    const addresses = String(forwarded).split(",");
    while (isProxy(client)) {
      const before = addressIn(addresses.pop() ?? "");
      if (before === null) break;
      client = before;
    }
    return networkOf(client);
  };
}

/** The address of an entry, which may have a port: `192.0.2.1:80`, `[2001:db8::1]:80`. */
function addressIn(entry: string): string | null {
  const text = entry.trim();
  const [, address = text] =
    /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text) ?? [];
  return isIP(address) === 0 ? null : address;
}

/** An IPv4 address as it is, also when in IPv6 notation; for an IPv6 address its first 64 bits, in hex. */
function networkOf(address: string): string {
  if (isIP(address) === 4) return address;
  const [bare = ""] = address.split("%");
  // As URLs write it: no leading zeros, no dotted part, `::` for the longest run of zeros.
  const groups = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const [head = "", tail] = groups.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  const all = [...before, ...zeros, ...after];
  if (all.slice(0, 6).join() === "0,0,0,0,0,ffff") {
    return all
      .slice(6)
      .map((group) => Number.parseInt(group, 16))
      .flatMap((group) => [group >> 8, group & 0xff])
      .join(".");
  }
  return `${all.slice(0, 4).join(":")}::/64`;
}
