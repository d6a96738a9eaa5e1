import type { CanonicalAddress } from "../../chains/address.ts";
import type { Result } from "../../kernel/result.ts";
import type { Active, Permission } from "./permissions/permission.ts";

/** Who may act for an account: every account begins with an owner permission and an active one of its own key. */
export interface PermissionSet {
  readonly owner: Permission;
  readonly witness: Permission | undefined;
  readonly actives: readonly Active[];
}

/** An account as it stands now. */
export interface TronAccount {
  readonly balanceSun: bigint;
  readonly isContract: boolean;
  readonly isWitness: boolean;
  readonly permissions: PermissionSet;
}

/** A call of a contract. Amounts are in sun and in raw units of a TRC-10. */
export interface TronContractCall {
  readonly owner: CanonicalAddress;
  readonly contract: CanonicalAddress;
  /** Hex. */
  readonly data: string;
  readonly valueSun: bigint;
  readonly tokenValue: bigint;
  readonly tokenId: bigint;
}

/** What a TRC-10 is called; its issuer chose both, and nothing keeps him from taking another's. */
export interface AssetNames {
  readonly id: bigint;
  readonly name: string;
  readonly abbr: string;
}

/** What a contract wrote down while it ran. Topics and data are hex. */
export interface TronEventLog {
  readonly contract: CanonicalAddress;
  readonly topics: readonly string[];
  readonly data: string;
}

/** Coins that a contract sent while it ran. */
export interface CoinPayment {
  readonly from: CanonicalAddress;
  readonly to: CanonicalAddress;
  readonly sun: bigint;
}

/** What became of a call that was run and thrown away. */
export type TronExecution =
  /** `returned` is hex. Nodes that are not set to keep payments tell of none. */
  | {
      readonly ended: "done";
      readonly returned: string;
      readonly logs: readonly TronEventLog[];
      readonly payments: readonly CoinPayment[];
    }
  /** It would fail on the chain, too. */
  | { readonly ended: "failed"; readonly reason: string }
  /** The node could not run it to its end, as when it takes too long: what it does cannot be told. */
  | { readonly ended: "unclear"; readonly reason: string };

/**
 * What can be asked of the chain. A failure is that of the node, or of its answer: nothing is known then. What the chain
 * does not have is no failure.
 */
export interface TronNode {
  /** @returns undefined for an account that was never activated. */
  account(address: CanonicalAddress): Promise<Result<TronAccount | undefined>>;
  /** @returns the code that runs, in hex; undefined where there is no contract. */
  code(contract: CanonicalAddress): Promise<Result<string | undefined>>;
  /** @returns undefined where no TRC-10 has the id. */
  asset(id: bigint): Promise<Result<AssetNames | undefined>>;
  execute(call: TronContractCall): Promise<Result<TronExecution>>;
}
