import { Agent } from "undici";
import { checkedLookup, type Lookup, type UrlSetting } from "./checked-lookup.ts";

/** Kept-alive connections to the host of one setting, at none of the addresses that nothing is asked at. */
export function checkedAgent(options: {
  readonly connections: number;
  readonly lookup: Lookup;
  readonly setting: UrlSetting;
}): Agent {
  return new Agent({
    connections: options.connections,
    keepAliveTimeout: 4_000,
    connect: { timeout: 3_000, lookup: checkedLookup(options.lookup, options.setting) },
  });
}
