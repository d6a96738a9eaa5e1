import type { IncomingHttpHeaders } from "node:http";
import { readWait } from "./wait-text.ts";

/**
 * The wait that quota headers request, milliseconds; undefined where they have no wait. The IETF's `RateLimit` counts
 * first, then `RateLimit-Reset`, then the `X-` names of vendors.
 *
 * @param serverMs Unix milliseconds, by the service's clock.
 */
export function quotaResetMs(headers: IncomingHttpHeaders, serverMs: number): number | undefined {
  const one = (name: string) => {
    const value = headers[name];
    return typeof value === "string" ? value : undefined;
  };
  return rateLimitMs(one("ratelimit"), serverMs) ?? resetMs(one, serverMs);
}

/** Whether a quota header reports that no request is left. */
export function isUsedUp(headers: IncomingHttpHeaders): boolean {
  if (families.some((family) => isNothing(headers[`${family}-remaining`]))) return true;
  return policiesIn(headers["ratelimit"]).some(({ remaining }) => isNothing(remaining));
}

function isNothing(remaining: string | string[] | undefined): boolean {
  return typeof remaining === "string" && remaining.trim() !== "" && Number(remaining) === 0;
}

/**
 * Pairs of headers: the requests that are left, and the time until the quota is full again. `RateLimit-` is used by
 * older IETF drafts and Kong. `X-RateLimit-` is used by GitHub and Envoy, and with `-Reset-After` by Discord. X writes
 * `X-Rate-Limit-`.
 */
const families = ["ratelimit", "x-ratelimit", "x-rate-limit"];

function resetMs(one: (name: string) => string | undefined, serverMs: number): number | undefined {
  for (const family of families) {
    const reset = one(`${family}-reset-after`) ?? one(`${family}-reset`);
    const wait = reset === undefined ? undefined : readWait(reset, serverMs);
    // Where requests are left, another limit refused the request, and this reset does not belong to it. Source:
    // GitHub's REST API, "Rate limits".
    if (wait !== undefined && !isLeft(one(`${family}-remaining`))) return wait;
  }
  return undefined;
}

function rateLimitMs(header: string | undefined, serverMs: number): number | undefined {
  // Only exhausted policies refuse a request. The policy that resets last decides.
  const used = policiesIn(header).filter(({ remaining }) => !isLeft(remaining));
  const waits = used.map(({ reset }) => readWait(reset ?? "", serverMs)).filter((ms) => ms !== undefined);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** One policy of a `RateLimit` header: the requests that are left, and the time until the quota is full again. */
interface Policy {
  readonly remaining: string | undefined;
  readonly reset: string | undefined;
}

/**
 * Draft 08 and later list policies, `"default";r=0;t=30`; draft 07 has one, `limit=100, remaining=0, reset=30`. Source:
 * draft-ietf-httpapi-ratelimit-headers.
 */
function policiesIn(header: string | string[] | undefined): readonly Policy[] {
  if (typeof header !== "string") return [];
  const items = header.match(/(?:"[^"]*"|[^,"])+/g) ?? [];
  const named = items.map((item) => paramsOf(item.replaceAll(/"[^"]*"/g, "")));
  if (named.some((params) => params.has("reset") || params.has("remaining"))) {
    const all = new Map(named.flatMap((params) => [...params]));
    return [{ remaining: all.get("remaining"), reset: all.get("reset") }];
  }
  return named
    .filter((params) => params.has("r"))
    .map((params) => ({ remaining: params.get("r"), reset: params.get("t") }));
}

function paramsOf(item: string): Map<string, string> {
  const pairs = [...item.matchAll(/(?<name>[a-z]+) *= *(?<value>[^;\s]+)/gi)];
  return new Map(pairs.map(({ groups: { name = "", value = "" } = {} }) => [name.toLowerCase(), value]));
}

function isLeft(remaining: string | undefined): boolean {
  return remaining !== undefined && Number(remaining) > 0;
}
