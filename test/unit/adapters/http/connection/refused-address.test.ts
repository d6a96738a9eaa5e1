import { expect, test } from "vitest";
import { isLoopback, isLoopbackName, whyRefused } from "../../../../../src/adapters/http/connection/refused-address.ts";

test.each([
  "1.1.1.1",
  "127.0.0.1",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "100.64.0.1",
  "169.253.255.255",
  "169.255.0.0",
  "223.255.255.255",
  "::1",
  "2606:4700::1111",
  "fd00::1",
  "fd12:3456::1",
  "fe7f:ffff::1",
  "fec0::1",
  "::ffff:10.0.0.1",
  "64:ff9b::1.1.1.1",
  "64:ff9b:1::10.0.0.1",
  "::ffff:0:10.0.0.1",
  "::10.0.0.1",
  "2002:a00:1::1",
])("%s is allowed as a service", (address) => {
  expect(whyRefused(address)).toBeUndefined();
});

test.each<[string, string]>([
  ["0.0.0.0", "an unspecified address"],
  ["0.1.2.3", "an unspecified address"],
  ["::", "an unspecified address"],
  ["169.254.0.0", "a link-local address, as of cloud metadata"],
  ["169.254.169.254", "a link-local address, as of cloud metadata"],
  ["169.254.255.255", "a link-local address, as of cloud metadata"],
  ["::ffff:169.254.169.254", "a link-local address, as of cloud metadata"],
  ["::ffff:a9fe:a9fe", "a link-local address, as of cloud metadata"],
  ["64:ff9b::a9fe:a9fe", "a link-local address, as of cloud metadata"],
  ["64:ff9b:1::a9fe:a9fe", "a link-local address, as of cloud metadata"],
  ["::ffff:0:169.254.169.254", "a link-local address, as of cloud metadata"],
  ["::169.254.169.254", "a link-local address, as of cloud metadata"],
  ["2002:a9fe:a9fe::1", "a link-local address, as of cloud metadata"],
  ["2002:6464:64c8::", "an address of cloud metadata"],
  ["2002:0:1::", "an unspecified address"],
  ["64:ff9b:1::1", "an unspecified address"],
  ["fe80::1", "a link-local address, as of cloud metadata"],
  ["fe80::1%eth0", "a link-local address, as of cloud metadata"],
  ["febf:ffff::1", "a link-local address, as of cloud metadata"],
  ["fd00:ec2::254", "an address of cloud metadata"],
  ["fd00:ec2::23", "an address of cloud metadata"],
  ["fd20:ce::254", "an address of cloud metadata"],
  ["192.0.0.192", "an address of cloud metadata"],
  ["168.63.129.16", "an address of cloud metadata"],
  ["100.100.100.200", "an address of cloud metadata"],
  ["64:ff9b::100.100.100.200", "an address of cloud metadata"],
  ["224.0.0.1", "a multicast or reserved address"],
  ["255.255.255.255", "a multicast or reserved address"],
  ["ff02::1", "a multicast or reserved address"],
  ["not an address", "not an IP address"],
  ["", "not an IP address"],
])("%s is refused: it is %s", (address, why) => {
  expect(whyRefused(address)).toBe(why);
});

test.each<[string, boolean]>([
  ["127.0.0.1", true],
  ["127.255.0.9", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["126.255.255.255", false],
  ["128.0.0.1", false],
  ["::2", false],
  ["localhost", false],
])("%s is the loopback: %s", (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});

test.each<[string, boolean]>([
  ["localhost", true],
  ["LocalHost.", true],
  ["weir.localhost", true],
  [".localhost", false],
  ["notlocalhost", false],
  ["localhost.example", false],
])("the name %s is this machine: %s", (host, expected) => {
  expect(isLoopbackName(host)).toBe(expected);
});
