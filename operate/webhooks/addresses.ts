/**
 * The permitted addresses of a webhook: those of the public internet, and the private networks that a target names. Otherwise a
 * chosen URL, or a DNS answer for its host, could make this machine send requests to services that only it can reach.
 * @module
 */
import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { blockListOf, familyOf } from "../../config/networks.ts";
import { bareHost } from "../../config/values.ts";

/** The special-purpose registries of IANA, except globally reachable networks, and addresses that some clouds add. */
const SPECIAL = blockListOf([
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
  ...["192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"],
  ...["198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
  // Azure's internal services.
  "168.63.129.16",
  // IPv4 addresses in another form (Teredo, 6to4), benchmarks, documentation.
  ...["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"],
]);

/** The allocated part of IPv6. Loopback, link-local, ULA, multicast, NAT64 and embedded IPv4 are outside it. */
const GLOBAL_IPV6 = blockListOf(["2000::/3"]);

/** Whether an IP address belongs to the public internet. */
export function isPublic(address: string): boolean {
  const family = familyOf(address);
  if (family === "ipv6" && !GLOBAL_IPV6.check(address, family)) return false;
  return !SPECIAL.check(address, family);
}

export type MayConnect = (address: string) => boolean;

/**
 * Decides which addresses one target may use. Unencrypted messages go only to its private networks.
 * @param networks addresses and CIDR blocks that the target's entry allows
 */
export function permittedAddresses(url: URL, networks: readonly string[]): MayConnect {
  const allowed = blockListOf(networks);
  return (address) =>
    allowed.check(address, familyOf(address)) || (url.protocol === "https:" && isPublic(address));
}

/** The host of a URL if it is an IP address; null for a name. */
export function literalAddress({ hostname }: URL): string | null {
  const bare = bareHost(hostname);
  return isIP(bare) === 0 ? null : bare;
}

/** No address of the host is permitted. The message names none, so that it reveals nothing about an internal network. */
export class AddressRefusedError extends Error {
  override readonly name = "AddressRefusedError";
  constructor() {
    super("its host has no address that it may be sent to (private ones have to be in privateNetworks)");
  }
}

/** Resolves a name to permitted addresses, for the connection itself, so that no later DNS answer is used. */
export function lookupOf(mayConnect: MayConnect): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const permitted = addresses.filter(({ address }) => mayConnect(address));
      const [first] = permitted;
      if (first === undefined) return callback(new AddressRefusedError(), []);
      if (options.all) callback(null, permitted);
      else callback(null, first.address, first.family);
    });
  };
}
