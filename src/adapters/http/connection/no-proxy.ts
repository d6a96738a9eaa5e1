import { BlockList, isIP } from "node:net";

/** A host of a URL, without brackets, and its port. */
export interface HostAndPort {
  readonly host: string;
  readonly port: string;
}

/**
 * Whether NO_PROXY exempts a destination. An entry is `*`, a host, a domain with all hosts below it, an address, or a
 * range of addresses (CIDR). Hosts and domains may have a port. A leading dot or `*.` changes nothing. A destination
 * that is an address is exempt by addresses and ranges alone; names are not resolved. Source: curl, "CURLOPT_NOPROXY";
 * Go, "http/httpproxy".
 */
export function isExempt({ host, port }: HostAndPort, list: string): boolean {
  const name = host.replace(/\.$/, "").toLowerCase();
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "*") return true;
    if (entry.includes("/")) return isInRange(name, entry);
    const { exempt = "", only } = /^(?<exempt>\[.*\]|[^:]*|.*:.*:.*?)(?::(?<only>\d+))?$/.exec(entry)?.groups ?? {};
    if (only !== undefined && only !== port) return false;
    return isIP(name) === 0 ? isBelow(name, exempt) : isInRange(name, exempt);
  });
}

function isBelow(host: string, entry: string): boolean {
  const domain = entry
    .replace(/^\*?\./, "")
    .replace(/\.$/, "")
    .toLowerCase();
  return domain !== "" && (host === domain || host.endsWith(`.${domain}`));
}

/** @param range an address, or a network and its prefix. */
function isInRange(address: string, range: string): boolean {
  const { network = "", prefix } = /^\[?(?<network>[^\]/]*)\]?(?:\/(?<prefix>\d{1,3}))?$/.exec(range)?.groups ?? {};
  const version = isIP(network);
  const longest = version === 4 ? 32 : 128;
  const length = Number(prefix ?? longest);
  if (version === 0 || isIP(address) !== version || length > longest) return false;
  const family = version === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(network, length, family);
  return list.check(address, family);
}
