import { parseAddress } from "../../chains/address.ts";
import { findChain } from "../../chains/registry.ts";
import type { Message } from "../../chains/solana/message/message.ts";
import type { TokenChanges } from "../../chains/solana/rules/token-changes.ts";
import type { LabelBook } from "../labels/label-book.ts";
import { balanceChanges } from "./balance-changes.ts";
import { callsOf, derivedAccounts, programsOf } from "./called.ts";
import type { SolanaFacts, SolanaFinding } from "./findings/facts.ts";
import { findAll } from "./findings/find-all.ts";
import { sharedOwners } from "./shared-owners.ts";
import type { Simulation } from "./simulator.ts";

/** One simulated transaction with its findings. */
export interface JudgedTransaction {
  readonly feePayer: string;
  readonly signers: readonly string[];
  /** Undefined when the transaction has no instructions. */
  readonly firstProgram: string | undefined;
  readonly simulation: Simulation;
  /** Every program that ran, each once, in the order of the first calls. */
  readonly programs: readonly string[];
  readonly changes: readonly TokenChanges[];
  readonly findings: readonly SolanaFinding[];
}

/** Judges one simulation. The result depends only on the arguments and the labels. */
export function judge(message: Message, simulation: Simulation, labels: LabelBook): JudgedTransaction {
  const signers = message.staticKeys.slice(0, message.signers);
  const [feePayer = ""] = signers;
  const calls = callsOf(message, simulation);
  const changes = balanceChanges(simulation);
  const findings = findAll(factsOf({ feePayer, signers: new Set(signers), calls, simulation, changes }, labels));
  return {
    feePayer,
    signers,
    firstProgram: calls[0]?.program,
    simulation,
    programs: programsOf(calls),
    changes,
    findings,
  };
}

/** Collects the facts that rules may read, from the simulation and the labels. */
export function factsOf(
  seen: Pick<SolanaFacts, "feePayer" | "signers" | "calls" | "simulation"> & Partial<Pick<SolanaFacts, "changes">>,
  labels: LabelBook,
): SolanaFacts {
  return {
    ...seen,
    signers: new Set([...seen.signers, ...sharedOwners(seen.calls, seen.simulation.before, seen.signers)]),
    derived: derivedAccounts(seen.calls),
    changes: seen.changes ?? balanceChanges(seen.simulation),
    isLabelled: (address) => isKnown(address, labels),
    isService: (address) => isService(address, labels),
    isListed: (address) => isListed(address, labels),
    listedWithin: (bytes) => (solana === undefined ? [] : [...labels.accusedWithin(solana, bytes).keys()]),
    tokenName: (mint) => tokenName(mint, labels),
  };
}

const solana = findChain("solana");

function isKnown(address: string, labels: LabelBook): boolean {
  const parsed = parseAddress("solana", address);
  return solana !== undefined && parsed.ok && labels.isWellKnown(solana, parsed.value);
}

function isService(address: string, labels: LabelBook): boolean {
  const parsed = parseAddress("solana", address);
  if (solana === undefined || !parsed.ok) return false;
  return labels.vouchesFor(solana, parsed.value, "protocol", "bridge");
}

function tokenName(mint: string, labels: LabelBook): string | undefined {
  const parsed = parseAddress("solana", mint);
  if (solana === undefined || !parsed.ok || !labels.vouchesFor(solana, parsed.value, "token")) return undefined;
  return labels.tokenOf(solana, parsed.value)?.name;
}

function isListed(address: string, labels: LabelBook): boolean {
  const parsed = parseAddress("solana", address);
  return solana !== undefined && parsed.ok && labels.standingOf(solana, parsed.value).accusations.length > 0;
}
