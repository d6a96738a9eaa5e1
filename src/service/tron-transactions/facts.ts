import type { CanonicalAddress } from "../../chains/address.ts";
import type { ReadCalls } from "../../chains/tron/calls/calls-read.ts";
import type { CallReading } from "../../chains/tron/calls/token-call.ts";
import type { Role } from "../../chains/tron/counterparty.ts";
import type { Operation } from "../../chains/tron/operation.ts";
import type { TronChainFacts } from "./chain-facts.ts";
import type { PermissionUpdate } from "./permissions/permission-analysis.ts";
import type { RecognizedAddress } from "./recognized-address.ts";
import type { TokenGrant, TronTokenMove } from "./token-moves.ts";
import type { CoinPayment } from "./tron-node.ts";

/** An accused address and its role in the transaction. */
export interface ListedParty {
  readonly address: CanonicalAddress;
  readonly as: string;
  readonly kind: "malicious" | "sanctioned";
  /** The accusing label, as text. */
  readonly label: string;
}

/** The web site that made the transaction, with the highest risk level of its labels. Level 0 means no known risk. */
export interface Site {
  readonly host: string;
  /** 0 to 5. */
  readonly riskLevel: number;
}

/** All facts about one transaction that rules may read. Amounts are in sun or raw units. */
export interface TronFacts {
  /** The type that the transaction states. */
  readonly type: string;
  readonly operation: Operation;
  readonly operationCount: number;
  readonly typeUrl: string | undefined;
  /** The id of the permission that signs. 0 is the owner permission. */
  readonly permissionId: bigint;
  /** The memo as text. Empty when there is no memo. */
  readonly memo: string;
  readonly feeLimitSun: bigint;
  /** Fields around the payload that the protocol does not know. */
  readonly strays: readonly string[];
  /** Time from the stated creation of the transaction to its stated expiration, in milliseconds. */
  readonly lifetimeMs: bigint | undefined;
  /** What the call of a contract does. */
  readonly call: CallReading | undefined;
  /** The call of a contract, with the inner calls of a multicall. */
  readonly calls: ReadCalls | undefined;
  readonly permissions: PermissionUpdate | undefined;
  readonly counterparty: (RecognizedAddress & { readonly role: Role }) | undefined;
  /**
   * Keys of a permission update other than the owner's. An update that is too large for any node is cut to its first
   * fifty keys.
   */
  readonly foreignKeys: readonly RecognizedAddress[];
  /** The called contract. */
  readonly contract: RecognizedAddress | undefined;
  readonly listed: readonly ListedParty[];
  /** A token that imitates a labelled one, and that a call of another contract names. */
  readonly imitationNamed: RecognizedAddress | undefined;
  readonly site: Site | undefined;
  /** The node's answers. Undefined when no node was asked. */
  readonly chain: TronChainFacts | undefined;
  /** All token moves during the execution, including moves between strangers. Empty without an execution. */
  readonly moves: readonly TronTokenMove[];
  readonly grants: readonly TokenGrant[];
  /** Coins that contracts sent during the execution. */
  readonly payments: readonly CoinPayment[];
  /** True for a protocol or bridge that labels vouch for. */
  readonly isService: (address: CanonicalAddress) => boolean;
  /** True for a bridge that labels vouch for. */
  readonly isBridge: (address: CanonicalAddress) => boolean;
  /** True for a token that labels vouch for. */
  readonly isTrustedToken: (address: CanonicalAddress) => boolean;
}
