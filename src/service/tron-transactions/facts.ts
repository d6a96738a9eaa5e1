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

/** An address that is on a list of bad ones, and what it has to do with the transaction. */
export interface ListedParty {
  readonly address: CanonicalAddress;
  readonly as: string;
  readonly kind: "malicious" | "sanctioned";
  /** The label that accuses it, in words. */
  readonly label: string;
}

/** The web site that a transaction was made by, and the worst that labels say of it; no level is no known risk. */
export interface Site {
  readonly host: string;
  /** 0 to 5. */
  readonly riskLevel: number;
}

/** Everything that rules may ask about one transaction. Amounts are in sun or raw units. */
export interface TronFacts {
  /** As the transaction says. */
  readonly type: string;
  readonly operation: Operation;
  readonly operationCount: number;
  readonly typeUrl: string | undefined;
  /** The permission that signs; 0 is the owner's. */
  readonly permissionId: bigint;
  /** The memo as text, empty when there is none. */
  readonly memo: string;
  readonly feeLimitSun: bigint;
  /** Members beside the payload that the protocol does not know. */
  readonly strays: readonly string[];
  /** From when the transaction was made until it cannot be broadcast any more, by its own word. */
  readonly lifetimeMs: bigint | undefined;
  /** What a contract is called to do. */
  readonly call: CallReading | undefined;
  /** The same, with the calls that a multicall holds. */
  readonly calls: ReadCalls | undefined;
  readonly permissions: PermissionUpdate | undefined;
  readonly counterparty: (RecognizedAddress & { readonly role: Role }) | undefined;
  /** Keys of an update that are not the owner's: of what no node takes the first fifty. */
  readonly foreignKeys: readonly RecognizedAddress[];
  /** The contract that is called. */
  readonly contract: RecognizedAddress | undefined;
  readonly listed: readonly ListedParty[];
  /** A token that a call of somebody else's contract names, and that imitates a labelled one. */
  readonly imitationNamed: RecognizedAddress | undefined;
  readonly site: Site | undefined;
  /** What a node says; undefined where none was asked. */
  readonly chain: TronChainFacts | undefined;
  /** What an execution did with tokens, those of strangers included. Nothing where there was none. */
  readonly moves: readonly TronTokenMove[];
  readonly grants: readonly TokenGrant[];
  /** Coins that contracts sent while they ran. */
  readonly payments: readonly CoinPayment[];
  /** A protocol or bridge that labels vouch for. */
  readonly isService: (address: CanonicalAddress) => boolean;
  /** A token that labels vouch for. */
  readonly isTrustedToken: (address: CanonicalAddress) => boolean;
}
