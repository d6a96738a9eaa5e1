import type { AccountState } from "../../chains/solana/accounts/account-state.ts";
import type { Message } from "../../chains/solana/message/message.ts";
import type { LabelBook } from "../labels/label-book.ts";
import { callsOf } from "./called.ts";
import { findInSequence, keyOf } from "./findings/find-all.ts";
import { factsOf, type JudgedTransaction, judge } from "./judge.ts";
import type { Simulation } from "./simulator.ts";

/**
 * Judges transactions that run one after the other: each by itself, and all as one. A drain may be split into
 * transactions that are harmless by themselves. Findings that only the whole sequence shows are attached to the last
 * transaction.
 */
export function judgeSequence(
  messages: readonly Message[],
  simulations: readonly Simulation[],
  labels: LabelBook,
): readonly JudgedTransaction[] {
  const pairs = messages.flatMap((message, i) => {
    const simulation = simulations[i];
    return simulation === undefined ? [] : [{ message, simulation }];
  });
  const judged = pairs.map(({ message, simulation }) => judge(message, simulation, labels));
  const [first] = judged;
  const last = judged.at(-1);
  const simulation = wholeOf(simulations);
  if (first === undefined || last === undefined || first === last || simulation === undefined) return judged;
  const facts = factsOf(
    {
      feePayer: first.feePayer,
      signers: new Set(judged.flatMap(({ signers }) => signers)),
      calls: pairs.flatMap((pair) => callsOf(pair.message, pair.simulation)),
      simulation,
    },
    labels,
  );
  const said = new Set(judged.flatMap(({ findings }) => findings.map(keyOf)));
  const more = findInSequence(facts).filter((finding) => !said.has(keyOf(finding)));
  return [...judged.slice(0, -1), { ...last, findings: [...last.findings, ...more] }];
}

/** Merges the simulations into one: from the first known state of each account to the last. */
function wholeOf(simulations: readonly Simulation[]): Simulation | undefined {
  const [first] = simulations;
  if (first === undefined) return undefined;
  const before = new Map<string, AccountState>();
  const after = new Map<string, AccountState>();
  const mints = new Map<string, AccountState>();
  const seen = new Set<string>();
  for (const simulation of simulations) {
    const named = new Set([...simulation.before.keys(), ...simulation.after.keys()]);
    for (const address of named) {
      const was = simulation.before.get(address);
      const is = simulation.after.get(address);
      if (!seen.has(address) && was !== undefined) before.set(address, was);
      if (is === undefined) after.delete(address);
      else after.set(address, is);
      seen.add(address);
    }
    for (const [mint, state] of simulation.mints) mints.set(mint, state);
  }
  const error = simulations.find((simulation) => simulation.error !== undefined)?.error;
  return { ...first, error, before, after, mints };
}
