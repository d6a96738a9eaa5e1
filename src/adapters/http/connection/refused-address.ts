import { BlockList, isIP } from "node:net";

type Range = readonly [network: string, prefix: number];

/**
 * Where no security service can be, and where a request with a key in it must not go (CWE-918). Private ranges and the
 * loopback are not among them: a service of one's own on an internal network, or on this machine, is the normal case.
 * Link-local addresses and those of cloud metadata hand credentials to whoever asks, so no setting opens them.
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
    // Amazon, Google, Oracle, Azure and Alibaba, in their documentation of instance metadata.
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
 * Before the 32 bits of an IPv4 address in an IPv6 one: behind a NAT64 gateway (RFC 6052, and RFC 8215 for those of one's own
 * network), translated without state (RFC 7915), and compatible (RFC 4291). BlockList itself sees IPv4 in ::ffff:0:0/96.
 */
const embedding = ["64:ff9b::", "64:ff9b:1::", "::ffff:0:", "::"] as const;

const lists = Object.entries(refused).map(([what, ranges]) => ({ what, list: listOf(ranges) }));
const loopback = listOf([
  ["127.0.0.0", 8],
  ["::1", 128],
]);

/** What `address` is that the worker must not connect to; undefined when it may. */
export function whyRefused(address: string): string | undefined {
  if (isIP(address) === 0) return "not an IP address";
  return lists.find(({ list }) => holds(list, address))?.what;
}

export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && holds(loopback, address);
}

/** RFC 6761: these names are this machine, whatever a resolver says. */
export function isLoopbackName(host: string): boolean {
  return /^(?:.+\.)?localhost\.?$/i.test(host);
}

function listOf(ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) {
    // To ask whether it is an IPv6 address at all takes an expression that is long to compile.
    const family = network.includes(":") ? "ipv6" : "ipv4";
    list.addSubnet(network, prefix, family);
    if (family === "ipv4") addEmbedded(list, network, prefix);
  }
  return list;
}

/** The addresses of IPv6 that lead to an IPv4 network where something on the way translates them. */
function addEmbedded(list: BlockList, network: string, prefix: number): void {
  for (const before of embedding) {
    // IPv6 itself has ::1 in there.
    if (before === "::" && network === "0.0.0.0") continue;
    list.addSubnet(`${before}${network}`, 96 + prefix, "ipv6");
  }
  const [a = 0, b = 0, c = 0, d = 0] = network.split(".").map(Number);
  const sixToFour = `2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::`;
  list.addSubnet(sixToFour, 16 + prefix, "ipv6");
}

function holds(list: BlockList, address: string): boolean {
  // A BlockList knows no zones, as in fe80::1%eth0.
  const [bare = ""] = address.split("%");
  return list.check(bare, familyOf(bare));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}
