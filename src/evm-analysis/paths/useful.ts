import { selectors } from "../contract.ts";
import { isTransient } from "../findings/slot.ts";
import { type Expr, parts } from "../machine/expr.ts";
import { type Exploration, type Node, type PathEnding, stepsOf, type Write } from "./path.ts";
import { graphOf, leadingTo } from "./reach.ts";

/** The argument that names the holder of the growing entry: the receiver, or the spender. */
const beneficiary: Readonly<Record<string, bigint>> = {
  [selectors.transfer]: 0n,
  [selectors.transferFrom]: 1n,
  [selectors.approve]: 0n,
  [selectors.increaseAllowance]: 0n,
};

/**
 * Tells for each place in a transfer or an approval whether a path from there fulfils the function's purpose.
 * A transfer that ends well but gives the receiver nothing has failed, like a revert. Its amount may have been set to
 * zero, or its receiver replaced.
 * Every ending without an error counts in two cases. No ending is seen to give the receiver anything, or not all
 * endings were seen.
 */
export function usefulNodes(selector: string, { nodes, endings, truncated }: Exploration): (node: Node) => boolean {
  const argument = beneficiary[selector];
  const given = endings.map((ending) => gives(ending, argument));
  if (truncated || !given.includes("something")) return ({ live }) => live;
  const ends = endings.flatMap(({ node }, at) => (given[at] === "nothing" ? [] : [node]));
  const found = leadingTo(graphOf(nodes), ends);
  return ({ id }) => found[id] === 1;
}

/** The gain of the address that an argument names. It is unclear when another contract may have paid. */
function gives({ trace }: PathEnding, argument: bigint | undefined): "something" | "nothing" | "unclear" {
  const last = new Map<Expr, Write>();
  let calls = false;
  for (const step of stepsOf(trace)) {
    if (step.kind === "write" && !isTransient(step.key)) last.set(step.key, step);
    else if (step.kind === "call" && step.op !== "STATICCALL") calls = true;
  }
  const isNamed = ({ op, value }: Expr) => op === "ARG" && value === argument;
  const own = [...last.values()].filter(({ key }) => [...parts(key)].some(isNamed));
  if (own.length === 0) return calls ? "unclear" : "nothing";
  return own.some((write) => !isSame(write)) ? "something" : "nothing";
}

/** Whether a word is written unchanged. */
const isSame = ({ key, value }: Write) => value.op === "SLOAD" && value.args[0] === key;
