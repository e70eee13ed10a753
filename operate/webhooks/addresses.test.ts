import { describe, expect, it } from "vitest";
import { AddressRefusedError, isPublic, literalAddress, lookupOf, permittedAddresses } from "./addresses.ts";

describe("an address", () => {
  // From the registries of IANA for special-purpose addresses, and the documentation of clouds.
  it.each([
    ...["0.0.0.0", "10.1.2.3", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254"],
    ...["169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.7", "192.168.1.1"],
    ...["168.63.129.16", "198.18.0.1", "198.51.100.1", "203.0.113.9", "224.0.0.1", "255.255.255.255"],
    ...["::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "fec0::1"],
    ...["::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001::1"],
    ...["2001:db8::1", "3fff::1", "100::1", "5f00::1"],
  ])("is not public: %s", (address) => {
    expect(isPublic(address)).toBe(false);
  });

  it.each([
    "8.8.8.8",
    "172.32.0.1",
    "172.15.255.255",
    "100.128.0.1",
    "11.0.0.1",
    "2606:4700::1111",
    "2a00:1450::1",
  ])("is public: %s", (address) => {
    expect(isPublic(address)).toBe(true);
  });

  it("is permitted if it is private only in the networks of a target, and http goes nowhere else", () => {
    const https = permittedAddresses(new URL("https://a.example"), ["10.0.3.0/24", "fd12::/16"]);
    expect(["10.0.3.9", "fd12::9", "8.8.8.8"].map(https)).toEqual([true, true, true]);
    expect(["10.0.4.9", "127.0.0.1", "169.254.169.254", "fd13::9"].map(https)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    const http = permittedAddresses(new URL("http://a.example"), ["10.0.3.0/24"]);
    expect(["10.0.3.9", "8.8.8.8", "10.0.4.9"].map(http)).toEqual([true, false, false]);
  });

  it.each([
    ["https://127.1/", "127.0.0.1"],
    ["https://0x7f000001/", "127.0.0.1"],
    ["https://2130706433/", "127.0.0.1"],
    ["https://[::1]/", "::1"],
    ["https://[::ffff:10.0.0.1]/", "::ffff:a00:1"],
    ["https://localhost/", null],
  ])("written as the URL %s is %s", (url, address) => {
    expect(literalAddress(new URL(url))).toBe(address);
  });
});

describe("a name", () => {
  const resolved = (mayConnect: (address: string) => boolean, all: boolean) =>
    new Promise((resolve, reject) => {
      lookupOf(mayConnect)("localhost", { all }, (error, address) =>
        error ? reject(error) : resolve(address),
      );
    });

  it("is refused on connection if it points to a private address, which the refusal does not name", async () => {
    const refused = resolved(isPublic, true);
    await expect(refused).rejects.toThrow(AddressRefusedError);
    await expect(refused).rejects.not.toThrow(/127|::1/);
  });

  it("is connected to by its permitted addresses", async () => {
    const mayConnect = permittedAddresses(new URL("http://localhost"), ["127.0.0.0/8"]);
    expect(await resolved(mayConnect, true)).toEqual([{ address: "127.0.0.1", family: 4 }]);
    expect(await resolved(mayConnect, false)).toBe("127.0.0.1");
  });
});
