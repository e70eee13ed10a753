/** @module Lists of IP addresses and networks, and which family an address belongs to. */
import { BlockList, isIP } from "node:net";

/** @param networks valid addresses and CIDR blocks */
export function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    const bits = isIP(address) === 6 ? 128 : 32;
    list.addSubnet(address, prefix === undefined ? bits : Number(prefix), familyOf(address));
  }
  return list;
}

export function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
