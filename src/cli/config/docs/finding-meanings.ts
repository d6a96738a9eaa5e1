import type { PolicyTable } from "../../../policy/policy.ts";

type Findings = PolicyTable["findings"];

/** What a finding means, and what to do about it. */
interface FindingMeaning {
  readonly means: string;
  readonly action: string;
}

const note = "Read it beside the other reasons; the default policy takes it as a note.";
const stop = "Stop the payment, and compare the whole address with your records.";
const ask = "Let a person decide.";

/**
 * The meaning of each finding of a policy, except those of Solana simulations. A new finding does not compile without
 * its meaning.
 */
export const findingMeanings: {
  readonly [C in Exclude<keyof Findings, "solana-simulation">]: Readonly<Record<keyof Findings[C], FindingMeaning>>;
} = {
  poisoning: {
    is_poisoning: { means: "The service calls the address poisoning.", action: stop },
    mimics_user: {
      means: "The address looks like an address that the user knows; `resembles` names it.",
      action: stop,
    },
    mimics_exchange: { means: "The address looks like a known exchange, bridge or protocol.", action: stop },
    mimics_system: {
      means: "A Solana address, token or program looks like one of the network itself, and is none.",
      action: "Do not send there, and give the address no right.",
    },
    token_is_poisoning: {
      means: "The service calls the token contract poisoning.",
      action: "Do not accept the token.",
    },
    mimics_top_token: {
      means: "The token contract looks like that of a well-known token.",
      action: "Do not accept the token.",
    },
    known_address_mimics: {
      means: "A known address looks like another known address: one of the two may be an imitation.",
      action: "Find out which of the two is genuine, and correct the user's addresses.",
    },
    not_compared: {
      means: "The service says that it compares no labels.",
      action: "Ask another service, or set the policy row `poisoning.not_compared`.",
    },
  },
  "token-security": {
    is_honeypot: { means: "The token can be bought and not sold.", action: "Do not accept the token." },
    dev_malicious: {
      means: "The service calls the token's developer or owner malicious.",
      action: "Do not accept the token.",
    },
    hidden_owner: { means: "The contract keeps an owner that it does not show.", action: ask },
    self_destruct: { means: "The contract can destroy itself.", action: ask },
    unlimited_mintable: { means: "The owner can make tokens without limit.", action: ask },
    transfer_pausable: { means: "The owner can pause transfers.", action: note },
    transfer_blacklist: { means: "The owner can exclude holders from transfers.", action: note },
    is_anti_whale: { means: "The contract limits amounts or balances.", action: note },
    tax_extreme: { means: "A purchase, sale or transfer costs an extreme tax.", action: "Do not accept the token." },
    tax_high: { means: "A purchase, sale or transfer costs a high tax.", action: ask },
    is_mintable: { means: "More tokens can be made.", action: note },
    not_verified: { means: "The source of the contract is not verified.", action: note },
    not_in_dex: { means: "The token has no pool at a known exchange contract.", action: note },
    level_high: { means: "The service states a high overall risk.", action: "Do not accept the token." },
    level_medium: { means: "The service states a medium overall risk.", action: ask },
    level_unknown: {
      means: "The overall level is missing, or is on no known scale.",
      action: "Map the levels of your service by `SERVICE_LEVELS`.",
    },
    threat_high: { means: "The threat level of the service is high.", action: "Do not accept the token." },
    threat_medium: { means: "The threat level of the service is medium.", action: ask },
    threat_unknown: {
      means: "The threat level is on no known scale.",
      action: "Map the levels by entries `threat:` of `SERVICE_LEVELS`.",
    },
    trust_low: { means: "The trust level means harm, by your `SERVICE_LEVELS`.", action: "Do not accept the token." },
    trust_medium: { means: "The trust level is doubtful, by your `SERVICE_LEVELS`.", action: ask },
    trust_unknown: {
      means: "The trust level has no entry in `SERVICE_LEVELS`.",
      action: "Map the level by an entry `trust:`, or set the row to INFO.",
    },
    new_token: { means: "The token is younger than 7 days.", action: note },
    few_holders: { means: "The token has fewer than 100 holders.", action: note },
    concentrated: { means: "One wallet holds half of the supply, or five hold 80 %.", action: note },
    owner_is_wallet: { means: "A single wallet owns the contract.", action: note },
  },
  classification: {
    unverified: { means: "The contract's source is not verified, or its kind is unknown.", action: ask },
  },
  "tron-security": {
    action_block: {
      means: "The service recommends BLOCK; the detail names each risk.",
      action: "Do not sign. `docs/tron-transactions.md` explains each risk.",
    },
    action_warn: { means: "The service recommends WARN; the detail names each risk.", action: ask },
    not_analysed: {
      means: "The service names parts that it did not analyse.",
      action: "Screen the addresses by themselves.",
    },
  },
  "evm-security": {
    action_block: {
      means: "The service recommends BLOCK; the detail names each risk.",
      action: "Do not sign. `docs/evm-transactions.md` explains each risk.",
    },
    action_warn: { means: "The service recommends WARN; the detail names each risk.", action: ask },
    not_analysed: { means: "The service names parts that it did not analyse, such as the execution.", action: note },
    executed_clean: {
      means: "Weir cannot decode a call of a known service, and the execution of the transaction found no risk.",
      action: note,
    },
  },
  "tron-integrity": {
    id_differs: {
      means: "The transaction's `txID` belongs to another body than the one shown.",
      action: "Do not sign, and find out what changed the transaction.",
    },
    body_differs: {
      means: "`raw_data_hex` belongs to another body than the one shown.",
      action: "Do not sign, and find out what changed the transaction.",
    },
    not_compared: {
      means: "The transaction holds members that Weir does not know, so its bytes could not be compared.",
      action: "See whether the producer made a mistake; a later protocol is another cause.",
    },
  },
  listed: {
    listed_sanctioned: {
      means: "A party of the event is on a list as sanctioned.",
      action: "Stop, and report by your rules.",
    },
    listed_blocked: {
      means: "A party of the event is blocked, malicious, or of risk 4 or 5.",
      action: "Stop the payment.",
    },
    listed_user: { means: "Only an address in `user_addresses` is listed.", action: "Look at the user's history." },
  },
  payment: {
    to_token_contract: {
      means: "The recipient is the contract of a token: the payment is lost.",
      action: "Correct the recipient.",
    },
    to_burn_address: { means: "The recipient is a burn address without a key.", action: "Correct the recipient." },
    value_to_unknown_contract: {
      means: "Coins go to a contract that no label names, or stay in a contract that pays them out to any caller.",
      action: ask,
    },
    proceeds_to_stranger: {
      means:
        "A trade, withdrawal, deposit or bridge pays an address that is neither the sender nor one of `user_addresses`.",
      action: "Correct the recipient, or name the user's own wallets in `user_addresses`.",
    },
    paid_in_unknown_token: {
      means: "A trade pays in a token that no label names, so its worth is not known.",
      action: "Look at the token, and label it in `LABELS_FILES` if it is sound.",
    },
    recipient_on_other_chain: {
      means: "A bridge pays a recipient in the form of another chain, which Weir does not screen.",
      action: "Screen the recipient on its own chain.",
    },
    trade_at_any_price: {
      means: "A trade states no least amount, so it may return nothing.",
      action: "State a least amount.",
    },
  },
};
