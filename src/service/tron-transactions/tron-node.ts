import type { CanonicalAddress } from "../../chains/address.ts";
import type { Result } from "../../kernel/result.ts";
import type { Active, Permission } from "./permissions/permission.ts";

/**
 * The permissions of an account. Every account begins with an owner permission and an active permission of its own key.
 */
export interface PermissionSet {
  readonly owner: Permission;
  readonly witness: Permission | undefined;
  readonly actives: readonly Active[];
}

/** The present state of an account. */
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

/** The names of a TRC-10. Its issuer chose both and may have copied another token's names. */
export interface AssetNames {
  readonly id: bigint;
  readonly name: string;
  readonly abbr: string;
}

/** An event that a contract logged during the execution. Topics and data are hex. */
export interface TronEventLog {
  readonly contract: CanonicalAddress;
  readonly topics: readonly string[];
  readonly data: string;
}

/** Coins that a contract sent during the execution. */
export interface CoinPayment {
  readonly from: CanonicalAddress;
  readonly to: CanonicalAddress;
  readonly sun: bigint;
}

/** The outcome of a call that was executed and discarded. */
export type TronExecution =
  /** `returned` is hex. `payments` is empty for nodes that are not configured to keep payments. */
  | {
      readonly ended: "done";
      readonly returned: string;
      readonly logs: readonly TronEventLog[];
      readonly payments: readonly CoinPayment[];
    }
  /** The call would also fail on the chain. */
  | { readonly ended: "failed"; readonly reason: string }
  /** The node could not execute the call to its end, for example because it took too long. The effect is unknown. */
  | { readonly ended: "unclear"; readonly reason: string };

/**
 * Queries of the chain. A failure means that the node or its answer failed, so that nothing is known. Data that does
 * not exist on the chain is no failure.
 */
export interface TronNode {
  /** @returns undefined for an account that was never activated. */
  account(address: CanonicalAddress): Promise<Result<TronAccount | undefined>>;
  /** @returns the code that runs, in hex. Undefined where there is no contract. */
  code(contract: CanonicalAddress): Promise<Result<string | undefined>>;
  /** @returns undefined where no TRC-10 has the id. */
  asset(id: bigint): Promise<Result<AssetNames | undefined>>;
  execute(call: TronContractCall): Promise<Result<TronExecution>>;
}
