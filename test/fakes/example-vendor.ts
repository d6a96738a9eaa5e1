import type { ServerResponse } from "node:http";
import { canonicalAddress } from "../../src/chains/address.ts";
import { lookalike } from "../../src/chains/lookalike.ts";
import { type Received, sendJson } from "../support/http-server.ts";

/** The vendor's data about an address beside its similarity to others, by address in lower case. */
export interface VendorData {
  readonly risks: Readonly<Record<string, { readonly score: number; readonly categories: readonly string[] }>>;
  readonly tokens: Readonly<Record<string, object>>;
}

const chainWords: ReadonlySet<string> = new Set(["ethereum", "bsc", "polygon", "tron"]);

/** The fictitious vendor of examples/service-adapter: one address a request, scores and categories. */
export function exampleVendor(data: VendorData, key: string) {
  return ({ method, url, headers, body }: Received, response: ServerResponse): void => {
    const isKnown = headers.authorization === `Bearer ${key}`;
    const [status, answer] = isKnown ? answerTo(method, url, body, data) : ([401, { error: "bad_token" }] as const);
    sendJson(response, status, answer);
  };
}

type Answer = readonly [status: number, body: object];
const UNKNOWN: Answer = [404, { error: "unknown_address" }];

function answerTo(method: string, url: string, body: string, { risks, tokens }: VendorData): Answer {
  const { pathname, searchParams } = new URL(url, "http://vendor.test");
  const [, resource, chain = "", address = ""] = pathname.split("/");
  if (method === "POST" && resource === "simulate") return [200, simulated(JSON.parse(body))];
  if (!chainWords.has(chain)) return [400, { error: "unsupported_chain" }];
  if (resource === "tokens") return tokens[address] === undefined ? UNKNOWN : [200, tokens[address]];
  const risk = risks[address];
  if (resource !== "risk" || risk === undefined) return UNKNOWN;
  const known = searchParams.get("compare")?.split(",") ?? [];
  const token = searchParams.get("token");
  const similar = { to_known: known.find((user) => isLike(address, user)) ?? null, to_exchange: null };
  const aboutToken = token === null ? {} : { token: { address: token, fake: false, imitates: null } };
  return [200, { chain, address, ...risk, similar, ...aboutToken }];
}

function simulated({ to }: { readonly to?: string }): object {
  const isDrain = to === "0x1111111111111111111111111111111111111111";
  const reasons = isDrain ? [{ code: "drains_wallet", text: "moves every token of the sender" }] : [];
  return { verdict: isDrain ? "danger" : "safe", reasons, simulated: true };
}

/** The vendor of test/fixtures/adapters/batch.mjs: several addresses of several chains a request. */
export function batchVendor({ body }: Received, response: ServerResponse): void {
  const { users, addresses } = JSON.parse(body) as Record<"users" | "addresses", readonly Item[]>;
  const results = addresses.map(({ chain, address }) => ({
    ...{ chain, address, poisoning: false, like_exchange: false },
    like_known: users.some((user) => isLike(address, user.address)),
  }));
  sendJson(response, 200, { results });
}

interface Item {
  readonly chain: string;
  readonly address: string;
}

function isLike(one: string, other: string): boolean {
  const [a, b] = [canonicalAddress("evm", one), canonicalAddress("evm", other)];
  return a !== undefined && b !== undefined && a !== b && lookalike("evm", a, b) !== undefined;
}
