import { BlockList, isIP } from "node:net";

type Range = readonly [network: string, prefix: number];

/**
 * Addresses at which no security service can be, and to which a request with a key must not go (CWE-918). Private
 * ranges and the loopback are allowed: a service on an internal network, or on this machine, is the normal case.
 * Link-local and cloud metadata addresses hand credentials to any client, so no setting allows them.
 */
const refused: Readonly<Record<string, readonly Range[]>> = {
  "an unspecified address": [
    ["0.0.0.0", 8],
    ["::", 128],
  ],
  "a link-local address, as of cloud metadata": [
    ["169.254.0.0", 16],
    ["fe80::", 10],
  ],
  "an address of cloud metadata": [
    // Metadata addresses of Amazon, Google, Oracle, Azure and Alibaba, from their documentation of instance metadata.
    ["fd00:ec2::", 32],
    ["fd20:ce::254", 128],
    ["192.0.0.192", 32],
    ["168.63.129.16", 32],
    ["100.100.100.200", 32],
  ],
  "a multicast or reserved address": [
    ["224.0.0.0", 4],
    ["240.0.0.0", 4],
    ["ff00::", 8],
  ],
};

/**
 * Prefixes in front of the 32 bits of an IPv4 address within an IPv6 address. They are for a NAT64 gateway (RFC 6052,
 * and RFC 8215 for local prefixes), stateless translation (RFC 7915), and compatible addresses (RFC 4291). BlockList
 * itself recognises IPv4 in ::ffff:0:0/96.
 */
const embedding = ["64:ff9b::", "64:ff9b:1::", "::ffff:0:", "::"] as const;

const lists = Object.entries(refused).map(([what, ranges]) => ({ what, list: listOf(ranges) }));
const loopback = listOf([
  ["127.0.0.0", 8],
  ["::1", 128],
]);

/** The reason why the worker must not connect to `address`; undefined when it may. */
export function whyRefused(address: string): string | undefined {
  if (isIP(address) === 0) return "not an IP address";
  return lists.find(({ list }) => holds(list, address))?.what;
}

export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && holds(loopback, address);
}

/** RFC 6761: these names mean this machine, whatever a resolver returns. */
export function isLoopbackName(host: string): boolean {
  return /^(?:.+\.)?localhost\.?$/i.test(host);
}

function listOf(ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) {
    // A full check for an IPv6 address needs a regular expression that is slow to compile.
    const family = network.includes(":") ? "ipv6" : "ipv4";
    list.addSubnet(network, prefix, family);
    if (family === "ipv4") addEmbedded(list, network, prefix);
  }
  return list;
}

/** Adds the IPv6 addresses that lead to an IPv4 network through a translator. */
function addEmbedded(list: BlockList, network: string, prefix: number): void {
  for (const before of embedding) {
    // IPv6 itself has ::1 in this range.
    if (before === "::" && network === "0.0.0.0") continue;
    list.addSubnet(`${before}${network}`, 96 + prefix, "ipv6");
  }
  const [a = 0, b = 0, c = 0, d = 0] = network.split(".").map(Number);
  const sixToFour = `2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::`;
  list.addSubnet(sixToFour, 16 + prefix, "ipv6");
}

function holds(list: BlockList, address: string): boolean {
  // A BlockList does not accept zones, as in fe80::1%eth0.
  const [bare = ""] = address.split("%");
  return list.check(bare, familyOf(bare));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}
