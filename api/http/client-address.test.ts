import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createClientNamer } from "./client-address.ts";

const clientOf = (proxies: readonly string[], remoteAddress: string | undefined, forwarded?: string) =>
  createClientNamer(proxies)({
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
    socket: { remoteAddress },
  });

describe("without proxies, the client", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::ffff:c000:201", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    [undefined, "unknown"],
  ])("of the peer %s is %s", (peer, client) => {
    expect(clientOf([], peer)).toBe(client);
  });

  it("is the peer, whatever it says of itself", () => {
    expect(clientOf([], "192.0.2.1", "198.51.100.7")).toBe("192.0.2.1");
  });
});

describe("behind proxies, the client", () => {
  const PROXIES = ["127.0.0.1", "10.0.0.0/8", "2001:db8:ffff::/48"];

  it.each([
    ["of a proxy is the one it adds", "127.0.0.1", "198.51.100.7", "198.51.100.7"],
    ["may have a port", "127.0.0.1", "198.51.100.7:4711", "198.51.100.7"],
    ["may have a port in IPv6", "10.2.3.4", "[2001:db8:1::5]:4711", "2001:db8:1:0::/64"],
    ["is before all proxies", "::ffff:127.0.0.1", "198.51.100.7, 10.1.1.1,2001:db8:ffff::1", "198.51.100.7"],
    ["is not what it invents", "127.0.0.1", "203.0.113.1, 198.51.100.7", "198.51.100.7"],
    ["is not what is no address", "127.0.0.1", "203.0.113.1, unknown", "127.0.0.1"],
    ["is a proxy where there is no other", "127.0.0.1", "10.0.0.2, 10.0.0.1", "10.0.0.2"],
    ["is a proxy that names nobody", "127.0.0.1", undefined, "127.0.0.1"],
    ["of another peer is the peer", "192.0.2.1", "198.51.100.7", "192.0.2.1"],
  ])("%s", (_, peer, forwarded, client) => {
    expect(clientOf(PROXIES, peer, forwarded)).toBe(client);
  });

  it("is never changed by what a client writes before its proxy's entry", () => {
    fc.assert(
      fc.property(fc.string(), fc.oneof(fc.ipV4(), fc.constant("10.0.0.9")), (text, address) => {
        const invented = `${text},${address}`;
        expect(clientOf(PROXIES, "10.0.0.1", `${invented},198.51.100.7`)).toBe("198.51.100.7");
      }),
    );
  });
});

it("has a name for every IPv6 address, the same for all of a /64 network", () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.ipV6(), (one, other) => {
      expect(clientOf([], one)).toMatch(/^([\da-f]{1,4}(:[\da-f]{1,4}){3}::\/64|\d+(\.\d+){3})$/);
      const groups = ["2001", "db8", "5", "6"];
      const inside = (address: string) => [...groups, ...expanded(address).slice(4)].join(":");
      expect(clientOf([], inside(one))).toBe(clientOf([], inside(other)));
    }),
  );
});

/** The eight groups of an address, by way of its bits. */
function expanded(address: string): string[] {
  const dotted = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a, b, c, d) => `${((+a << 8) | +b).toString(16)}:${((+c << 8) | +d).toString(16)}`,
  );
  const [head = "", tail] = dotted.split("::");
  const groups = (text = "") => (text === "" ? [] : text.split(":"));
  const missing = 8 - groups(head).length - groups(tail).length;
  return [...groups(head), ...Array.from({ length: missing }, () => "0"), ...groups(tail)];
}
