import type { CanonicalAddress } from "../../chains/address.ts";
import type { EvmReading, EvmTransfer } from "../../chains/evm/read-transaction.ts";
import type { AddressLabel } from "../../labels/label.ts";
import type { Accusation } from "../labels/standing.ts";
import type { EvmExecution } from "./execution.ts";

/** What stands at an address: nothing that runs, a contract, or an account that lets other code act for it (EIP-7702). */
export type CodeKind = "wallet" | "contract" | "delegated";

/** What is known about one address that a transaction deals with. */
export interface Party {
  readonly address: CanonicalAddress;
  /** The sender, or an address that the user knows. */
  readonly isOwn: boolean;
  /** Labelled as a token, at whatever risk: what is sent to its contract is lost. */
  readonly isToken: boolean;
  /** A token that labels vouch for. */
  readonly isTrustedToken: boolean;
  /** A protocol or bridge that labels vouch for: a contract that people mean to let spend. */
  readonly isService: boolean;
  /** A bridge that labels vouch for: what is paid into one comes out on another chain. */
  readonly isBridge: boolean;
  /** An exchange, a bridge, a protocol or a token that labels vouch for. */
  readonly isWellKnown: boolean;
  /** What labels accuse it of. */
  readonly accusations: readonly Accusation[];
  /** The address of the user's that it is taken for. */
  readonly resembles: CanonicalAddress | undefined;
  /** The exchange, bridge, protocol or token that it is taken for. */
  readonly imitated: AddressLabel | undefined;
}

/** Everything that rules may ask about one transaction. Amounts are wei or raw units. */
export interface EvmFacts {
  readonly transaction: EvmTransfer;
  readonly does: EvmReading;
  /** Of whoever gains and of each contract; what is no party of the transaction is known as nothing in particular. */
  readonly known: (address: CanonicalAddress) => Party;
  /** Everybody who gains, as the calldata says or as was seen when it ran, and every contract, once each. */
  readonly parties: readonly Party[];
  /** Whatever of the transaction labels accuse, those that stand packed in its calldata included. */
  readonly listed: readonly Party[];
  /** What a node says; undefined where none is asked. */
  readonly chain: EvmChainFacts | undefined;
}

/** State of the newest block. */
export interface EvmChainFacts {
  readonly block: bigint;
  /** Of the sender, wei. */
  readonly balance: bigint;
  readonly codeAt: ReadonlyMap<CanonicalAddress, CodeKind>;
  /** Contracts that may spend and were not there some blocks ago. */
  readonly isNew: ReadonlySet<CanonicalAddress>;
  /** What the transaction does; undefined where no node can run it. */
  readonly execution: EvmExecution | undefined;
}
