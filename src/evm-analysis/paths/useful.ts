import { selectors } from "../contract.ts";
import { isTransient } from "../findings/slot.ts";
import { type Expr, parts } from "../machine/expr.ts";
import { type Exploration, type Node, type PathEnding, stepsOf, type Write } from "./path.ts";
import { graphOf, leadingTo } from "./reach.ts";

/** The argument that names whose entry has to grow: the receiver, or who may spend. */
const beneficiary: Readonly<Record<string, bigint>> = {
  [selectors.transfer]: 0n,
  [selectors.transferFrom]: 1n,
  [selectors.approve]: 0n,
  [selectors.increaseAllowance]: 0n,
};

/**
 * Says of the places in a transfer or an approval whether some way from there does what the function is there for. A
 * transfer that ends well and leaves the receiver as it was, its amount set to zero or its receiver replaced, has failed
 * as surely as one that reverts. Where that cannot be told, as where no ending is seen to give the receiver anything or
 * not all of them were seen, every ending without an error counts.
 */
export function usefulNodes(selector: string, { nodes, endings, truncated }: Exploration): (node: Node) => boolean {
  const argument = beneficiary[selector];
  const given = endings.map((ending) => gives(ending, argument));
  if (truncated || !given.includes("something")) return ({ live }) => live;
  const ends = endings.flatMap(({ node }, at) => (given[at] === "nothing" ? [] : [node]));
  const found = leadingTo(graphOf(nodes), ends);
  return ({ id }) => found[id] === 1;
}

/** What a path gives the one named by an argument; unclear when another contract may have. */
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

/** Whether a word is written as it was. */
const isSame = ({ key, value }: Write) => value.op === "SLOAD" && value.args[0] === key;
