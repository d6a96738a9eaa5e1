/** The findings about a contract. docs/bytecode.md explains for each rule why it holds and where it fails. */
export const findingNames = [
  "mintable",
  "unlimited_mint",
  "hidden_owner",
  "take_back_ownership",
  "fake_renounce",
  "blacklist",
  "whitelist",
  "pausable",
  "max_transaction",
  "max_wallet",
  "cooldown",
  "personal_limit",
  "fee_modifiable",
  "fee_unbounded",
  "owner_changes_balance",
  "moves_others_tokens",
  "external_call_on_transfer",
  "external_gate_on_transfer",
  "self_destruct",
  "delegatecall",
  "proxy",
] as const;

export type FindingName = (typeof findingNames)[number];

/** The place of a finding. Members that do not apply are left out. */
export interface Evidence {
  /** Function, eight hex digits. */
  readonly selector?: string;
  /** Variable in storage, in the notation of `slot.ts`. */
  readonly slot?: string;
  /** Offset of the instruction in the code. */
  readonly offset?: number;
  /** Offsets of the branches on one path to the place, in order. */
  readonly path?: readonly number[];
  /** A description of the evidence. */
  readonly note?: string;
}

export interface CodeFinding {
  /** `unknown`: no evidence was found, but not all code could be explored. */
  readonly value: boolean | "unknown";
  /** Between 0 and 1: the confidence in the rule for this contract. It is a judgement, not a measured frequency. */
  readonly confidence: number;
  readonly evidence: readonly Evidence[];
}

/** A record with the value of `of` for every name. */
export function forEachFinding<T>(of: (name: FindingName) => T): Readonly<Record<FindingName, T>> {
  return {
    mintable: of("mintable"),
    unlimited_mint: of("unlimited_mint"),
    hidden_owner: of("hidden_owner"),
    take_back_ownership: of("take_back_ownership"),
    fake_renounce: of("fake_renounce"),
    blacklist: of("blacklist"),
    whitelist: of("whitelist"),
    pausable: of("pausable"),
    max_transaction: of("max_transaction"),
    max_wallet: of("max_wallet"),
    cooldown: of("cooldown"),
    personal_limit: of("personal_limit"),
    fee_modifiable: of("fee_modifiable"),
    fee_unbounded: of("fee_unbounded"),
    owner_changes_balance: of("owner_changes_balance"),
    moves_others_tokens: of("moves_others_tokens"),
    external_call_on_transfer: of("external_call_on_transfer"),
    external_gate_on_transfer: of("external_gate_on_transfer"),
    self_destruct: of("self_destruct"),
    delegatecall: of("delegatecall"),
    proxy: of("proxy"),
  };
}

/** Evidence of a finding, produced by one rule. */
export interface Sign extends Evidence {
  readonly name: FindingName;
  readonly confidence: number;
}
