import type { CanonicalAddress } from "../../src/chains/address.ts";
import { lookalike } from "../../src/chains/lookalike.ts";
import { findChain } from "../../src/chains/registry.ts";

export interface Item {
  readonly chain_id: string;
  readonly address: string;
}

/** What a token is: its last digit tells, so that everybody knows without a list. */
export type TokenKind = "plain" | "honeypot" | "owner" | "copy" | "slow";
const kinds: readonly TokenKind[] = ["honeypot", "owner", "copy", "slow"];

export function tokenKind(address: string): TokenKind {
  return kinds[Number.parseInt(address.slice(-1), 16)] ?? "plain";
}

/** Whether the target imitates one of these users on its own chain. */
export function imitates(target: Item, users: readonly Item[]): boolean {
  const family = findChain(target.chain_id)?.family;
  if (family === undefined) throw new Error(`no chain ${target.chain_id}`);
  const isLike = ({ chain_id, address }: Item) =>
    chain_id === target.chain_id &&
    lookalike(family, target.address as CanonicalAddress, address as CanonicalAddress) !== undefined;
  return users.some(isLike);
}

/** What a truthful service says of a target that is asked beside these users. */
export function targetFlags(target: Item, users: readonly Item[]) {
  const flag = imitates(target, users) ? "1" : "0";
  return { is_poisoning: flag, mimics_user: flag, mimics_exchange: "0" } as const;
}

export function tokenFlags({ address }: Item) {
  const isCopy = tokenKind(address) === "copy";
  const flag = isCopy ? "1" : "0";
  return { is_poisoning: flag, mimics_top_token: flag, matched_token: isCopy ? "USDT" : "" } as const;
}

/** What a truthful service says once it has analysed a token. */
export function tokenSecurity({ address }: Item) {
  const flag = (kind: TokenKind) => (tokenKind(address) === kind ? "1" : "0");
  return {
    address: `ethereum:${address}`,
    address_type: "token",
    overall_risk_level: "1",
    overall_score: "90",
    basic_info: {
      token_name: "Token",
      token_symbol: "TKN",
      token_decimals: "18",
      days_deployed: "100",
      is_mintable: "0",
      is_in_dex: "1",
      verified: "1",
    },
    privileges: { owner_address: "", owner_type: "", dev_malicious: "0" },
    security_risks: {
      is_honeypot: flag("honeypot"),
      hidden_owner: flag("owner"),
      self_destruct: "0",
      unlimited_mintable: "0",
    },
    token_market: {
      holders_count: "10",
      owner_token_percent: "0",
      holders_concentration: { top1_eoa_concentration: "0", top5_eoa_concentration: "0" },
    },
    trade_analysis: { sell_tax: "0", transfer_tax: "0" },
    transfer_restrictions: { is_anti_whale: "0", transfer_pausable: "0", transfer_blacklist: "0" },
    threat_intelligence: { risk_level: "0", trust_level: "1" },
    scanned_time: 1_700_000_000,
  } as const;
}

export function itemKey({ chain_id, address }: Item): string {
  return `${chain_id}|${address}`;
}
