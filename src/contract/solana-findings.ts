/**
 * What this service's simulations say beyond balances, by the names in `findings` (a documented extra, see
 * docs/solana-transactions.md). A client may ignore them; the worker's policy has a row for each.
 */
export const simulationFindings = [
  "account_owner_changed",
  "account_allocated",
  "nonce_authority_changed",
  "durable_nonce",
  "token_owner_changed",
  "token_close_authority_changed",
  "token_authority_changed",
  "approval_unknown_delegate",
  "approval_unlimited",
  "account_closed_to_stranger",
  "withdrawn_to_stranger",
  "account_for_another",
  "stake_authority_changed",
  "stake_lockup_changed",
  "vote_account_changed",
  "upgrade_authority_changed",
  "program_upgraded",
  "token_permanent_delegate",
  "token_transfer_hook",
  "token_transfer_fee",
  "token_default_frozen",
  "token_non_transferable",
  "majority_of_sol_leaves",
  "several_assets_leave",
  "paid_in_unknown_tokens",
  "payment_unclear",
  "lookup_table_unresolved",
  "program_unknown",
  "instruction_unknown",
  "fee_high",
  "listed_address",
] as const;
export type SimulationFindingName = (typeof simulationFindings)[number];
