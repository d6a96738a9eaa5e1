import type { SolanaTransaction } from "../../api/schemas/solana-emulate.ts";
import type { CanonicalAddress } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import type { EvmParty } from "../../chains/evm/counterparties.ts";
import type { Check } from "../../messages/checks.ts";
import type { OwnPartiesEvidence } from "../../messages/evidence.ts";
import type { CheckEntry, Subject } from "../../messages/verdict.ts";
import type { Parties } from "../checks/listed-entry.ts";
import type { EvmQuestion } from "../simulation/evm-alone.ts";
import type { TronQuestion } from "../simulation/tron-alone.ts";
import type { Omission } from "./reading/named-users.ts";

/** Whom a target is compared with. */
interface Compared {
  readonly check: "poisoning";
  readonly chain: Chain;
  readonly users: readonly CanonicalAddress[];
  /** What the event names beside that and cannot be asked about: only what is flagged all the same is certain. */
  readonly omits?: Omission;
}

/** One check that is to be put to the service. */
export type Question =
  | (Compared & {
      readonly target: CanonicalAddress;
      readonly token: CanonicalAddress | undefined;
    })
  | (Compared & {
      /** Two or more. */
      readonly parties: readonly EvmParty[];
    })
  | (Compared & {
      /** Who it is about is known once these are simulated: whoever receives by them. */
      readonly receiversOf: readonly SolanaTransaction[];
      /** The user's own addresses, as the event names them. */
      readonly own: readonly CanonicalAddress[];
      /** The accounts that they write. */
      readonly candidates: readonly CanonicalAddress[];
      /** Addresses to which the instructions give a right, money or a token account by their own words. */
      readonly gainers: readonly CanonicalAddress[];
      /** Programs that the messages call or give a new account to. */
      readonly programs: readonly CanonicalAddress[];
      /** Who signs them and is not named by the event: compared, too, since a lookalike may sign and pay the fee. */
      readonly signers: readonly CanonicalAddress[];
      /** Every account that the messages name, and every key that instructions give a right to. */
      readonly named: readonly CanonicalAddress[];
      /** Whether they write accounts that stand in tables, so that only their simulation tells of all who receive. */
      readonly usesLookupTables: boolean;
    })
  | { readonly check: "token-security"; readonly chain: Chain; readonly token: CanonicalAddress }
  | {
      readonly check: "token-security";
      readonly chain: Chain;
      /** Two or more, each once. */
      readonly tokens: readonly CanonicalAddress[];
    }
  | { readonly check: "classification"; readonly chain: Chain; readonly address: CanonicalAddress }
  | {
      readonly check: "solana-simulation";
      readonly chain: Chain;
      readonly transactions: readonly SolanaTransaction[];
      /** The user's own addresses, as the event names them. */
      readonly own: readonly CanonicalAddress[];
    }
  | ({
      readonly check: "tron-security";
      readonly chain: Chain;
      /** The user's own addresses that the transaction deals with, if it deals with nobody else. */
      readonly own: OwnPartiesEvidence | undefined;
    } & TronQuestion)
  | ({ readonly check: "evm-security" } & EvmQuestion);

export type PoisoningQuestion = Extract<Question, { check: "poisoning"; target: CanonicalAddress }>;
export type PartiesQuestion = Extract<Question, { check: "poisoning"; parties: readonly EvmParty[] }>;
export type TokenQuestion = Extract<Question, { check: "token-security"; token: CanonicalAddress }>;
export type TokensQuestion = Extract<Question, { check: "token-security"; tokens: readonly CanonicalAddress[] }>;
export type ReceiversQuestion = Extract<Question, { check: "poisoning"; receiversOf: readonly SolanaTransaction[] }>;

/** What one event needs: the questions to ask, and the checks that are settled without asking. */
export interface Plan {
  readonly subject: Subject;
  readonly requiredChecks: readonly Check[];
  readonly questions: readonly Question[];
  readonly settled: readonly CheckEntry[];
  /** Whom lists are searched for; undefined where no address can be read. */
  readonly parties: Parties | undefined;
}
