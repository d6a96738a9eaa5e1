import type { CanonicalAddress } from "../../chains/address.ts";
import type { EvmReading, EvmTransfer } from "../../chains/evm/read-transaction.ts";
import type { AddressLabel } from "../../labels/label.ts";
import type { Accusation } from "../labels/standing.ts";
import type { EvmExecution } from "./execution.ts";

/** The code at an address: a wallet without code, a contract, or an account that delegates to other code (EIP-7702). */
export type CodeKind = "wallet" | "contract" | "delegated";

/** What Weir knows about one address in a transaction. */
export interface Party {
  readonly address: CanonicalAddress;
  /** True for the sender, and for an address that the user knows. */
  readonly isOwn: boolean;
  /** True for an address that is labelled as a token, at whatever risk. A payment to the token's contract is lost. */
  readonly isToken: boolean;
  /** True for a token that labels vouch for. */
  readonly isTrustedToken: boolean;
  /** True for a protocol or bridge that labels vouch for. Users give such contracts allowances on purpose. */
  readonly isService: boolean;
  /** True for a bridge that labels vouch for. A payment into a bridge comes out on another chain. */
  readonly isBridge: boolean;
  /** True for code that labels vouch for as a wallet's own, made to act for accounts (EIP-7702). */
  readonly isDelegate: boolean;
  /** True for an exchange, a bridge, a protocol or a token that labels vouch for. */
  readonly isWellKnown: boolean;
  /** The label of the address as text. Undefined for an address without a label. */
  readonly labelled?: string | undefined;
  /** The accusations of labels against the address. */
  readonly accusations: readonly Accusation[];
  /** The user's address that this address imitates. */
  readonly resembles: CanonicalAddress | undefined;
  /** The exchange, bridge, protocol, token or delegate that this address imitates. */
  readonly imitated: AddressLabel | undefined;
}

/** All facts about one transaction that rules may read. Amounts are wei or raw units. */
export interface EvmFacts {
  readonly transaction: EvmTransfer;
  readonly does: EvmReading;
  /** Looks up any address. An address that is no party of the transaction gets facts from labels only. */
  readonly known: (address: CanonicalAddress) => Party;
  /** The addresses that gain, by the calldata or by the execution, and all contracts, once each. */
  readonly parties: readonly Party[];
  /** Whether the calldata names an address that is neither the user's nor well known. */
  readonly namesStranger: boolean;
  /** All accused addresses of the transaction, including those that are packed in the calldata. */
  readonly listed: readonly Party[];
  /** The node's answers. Undefined when no node was asked. */
  readonly chain: EvmChainFacts | undefined;
}

/** State of the newest block. */
export interface EvmChainFacts {
  readonly block: bigint;
  /** Balance of the sender, wei. */
  readonly balance: bigint;
  readonly codeAt: ReadonlyMap<CanonicalAddress, CodeKind>;
  /** Spender contracts that did not exist some blocks ago. */
  readonly isNew: ReadonlySet<CanonicalAddress>;
  /** The execution of the transaction. Undefined where no node can execute it. */
  readonly execution: EvmExecution | undefined;
}
