import type { CanonicalAddress } from "../../src/chains/address.ts";
import { formatOf } from "../../src/chains/address-format.ts";
import type { Family } from "../../src/chains/chain.ts";
import { lookalike } from "../../src/chains/lookalike.ts";
import { findChain } from "../../src/chains/registry.ts";

export interface Item {
  readonly chain_id: string;
  readonly address: string;
}

/** The kind of a token. Its last digit decides, so that all processes know it without a list. */
export type TokenKind = "plain" | "honeypot" | "owner" | "copy" | "slow";
const kinds: readonly TokenKind[] = ["honeypot", "owner", "copy", "slow"];

export function tokenKind(address: string): TokenKind {
  return kinds[Number.parseInt(address.slice(-1), 16)] ?? "plain";
}

/**
 * Users by the part that an imitation must share with them, so that a thousand items do not need a million comparisons.
 */
export class Users {
  readonly #byEnds = new Map<string, CanonicalAddress[]>();

  constructor(users: readonly Item[]) {
    for (const user of users) {
      const address = user.address as CanonicalAddress;
      for (const ends of endsOf(user)) {
        const others = this.#byEnds.get(ends);
        if (others === undefined) this.#byEnds.set(ends, [address]);
        else others.push(address);
      }
    }
  }

  /** Whether the target imitates one of the users on its own chain. */
  areImitatedBy(target: Item): boolean {
    const family = familyOf(target);
    const isLike = (user: CanonicalAddress) =>
      lookalike(family, target.address as CanonicalAddress, user) !== undefined;
    return endsOf(target).some((ends) => this.#byEnds.get(ends)?.some(isLike) === true);
  }
}

/** The parts of an address that a lookalike shares, by each shape. */
function endsOf(item: Item): readonly string[] {
  const address = item.address as CanonicalAddress;
  const { constantPrefix, shapes, sameEndingShapes } = formatOf(familyOf(item), address);
  return [...shapes, ...sameEndingShapes].map(({ prefix, suffix }, i) => {
    const back = suffix === 0 ? "" : address.slice(-suffix);
    return `${item.chain_id}|${i}|${address.slice(0, constantPrefix + prefix)}|${back}`;
  });
}

function familyOf({ chain_id }: Item): Family {
  const family = findChain(chain_id)?.family;
  if (family === undefined) throw new Error(`no chain ${chain_id}`);
  return family;
}

/** The truthful answer about a target beside these users. */
export function targetFlags(target: Item, users: Users) {
  const flag = users.areImitatedBy(target) ? "1" : "0";
  return { is_poisoning: flag, mimics_user: flag, mimics_exchange: "0" } as const;
}

export function tokenFlags({ address }: Item) {
  const isCopy = tokenKind(address) === "copy";
  const flag = isCopy ? "1" : "0";
  return { is_poisoning: flag, mimics_top_token: flag, matched_token: isCopy ? "USDT" : "" } as const;
}

/** The truthful answer about an analysed token. */
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
