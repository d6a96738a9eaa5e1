import { lazy } from "../../../kernel/collections.ts";
import { readArguments } from "../abi/abi-reader.ts";
import { readSignature } from "../abi/abi-type.ts";
import { argumentsOf } from "../abi/arguments.ts";
import type { Declaration } from "./service-call.ts";

/** One command of a router, as a call of the router by its caller. */
export interface PlanStep extends Declaration {
  /** The arguments in hex digits, without a selector. */
  readonly digits: string;
}

/** Functions with commands and their inputs as arguments. */
export const routerPlans: readonly string[] = ["execute(bytes,bytes[])", "execute(bytes,bytes[],uint256)"];

/** The commands of a universal router. Source: Uniswap, universal-router, Commands.sol and Dispatcher.sol. */
const commands: Readonly<Record<string, string>> = {
  "00": "V3_SWAP_EXACT_IN(address recipientOrMarker,uint256 amount,uint256 least,bytes packedPath,bool payerIsUser)",
  "01": "V3_SWAP_EXACT_OUT(address recipientOrMarker,uint256 least,uint256 most,bytes packedPathBack,bool payerIsUser)",
  "02": "PERMIT2_TRANSFER_FROM(address token,address recipientOrMarker,uint160 paid)",
  "04": "SWEEP(address token,address recipientOrMarker,uint256 leastLeft)",
  "05": "TRANSFER(address token,address recipientOrMarker,uint256 forwarded)",
  "06": "PAY_PORTION(address token,address feeRecipient,uint256 bips)",
  "08": "V2_SWAP_EXACT_IN(address recipientOrMarker,uint256 amount,uint256 least,address[] path,bool payerIsUser)",
  "09": "V2_SWAP_EXACT_OUT(address recipientOrMarker,uint256 least,uint256 most,address[] path,bool payerIsUser)",
  "0a": "PERMIT2_PERMIT(((address token,uint160 amount,uint48,uint48),address spender,uint256),bytes signed)",
  "0b": "WRAP_ETH(address recipientOrMarker,uint256 coins)",
  "0c": "UNWRAP_WETH(address recipientOrMarker,uint256 leastLeft)",
  "0e": "BALANCE_CHECK_ERC20(address,address token,uint256)",
};

/** Commands that hold a further plan. */
const V4_SWAP = "10";
const EXECUTE_SUB_PLAN = "21";

/** The actions of a V4 swap. Source: Uniswap, v4-periphery, Actions.sol and IV4Router.sol. */
const actions: Readonly<Record<string, string>> = {
  "06": "SWAP_EXACT_IN_SINGLE(((address token,address token,uint24,int24,address),bool,uint128,uint128 least,bytes route))",
  "07": "SWAP_EXACT_IN((address tokenIn,(address token,uint256,int24,address,bytes route)[],uint128,uint128 least))",
  "08": "SWAP_EXACT_OUT_SINGLE(((address token,address token,uint24,int24,address),bool,uint128 least,uint128 most,bytes route))",
  "09": "SWAP_EXACT_OUT((address token,(address token,uint256,int24,address,bytes route)[],uint128 least,uint128 most))",
  "0b": "SETTLE(address token,uint256 coins,bool)",
  "0c": "SETTLE_ALL(address token,uint256 coins)",
  "0e": "TAKE(address token,address recipientOrMarker,uint256 forwarded)",
  "0f": "TAKE_ALL(address token,uint256 leastLeft)",
  "10": "TAKE_PORTION(address token,address feeRecipient,uint256 bips)",
};

/** The most steps of one plan. Chosen: routes of interfaces stay below. */
const MAX_STEPS = 64;
const MAX_DEPTH = 3;

const declarationsOf = (table: Readonly<Record<string, string>>, more: Omit<Declaration, "inputs">) =>
  new Map(
    Object.entries(table).map(([code, text]) => [
      code,
      { inputs: readSignature(text).inputs, isStep: true as const, ...more },
    ]),
  );
const commandDeclarations = lazy(() => declarationsOf(commands, {}));
/** A V4 swap leaves its proceeds until an action takes them. */
const actionDeclarations = lazy(() => declarationsOf(actions, { leavesProceeds: true }));
const subPlan = lazy(() => readSignature("plan(bytes,bytes[])").inputs);

/** A permit that may fail: the allowance may be there already. The highest bit of a command lets the command fail. */
const OPTIONAL_PERMIT = "8a";

/**
 * The steps of a plan of commands of one byte and one input each.
 *
 * @returns undefined for an unknown command, and for more steps than any real plan has.
 */
export function planSteps(codes: string, inputs: readonly string[]): readonly PlanStep[] | undefined {
  return stepsOf(codes, inputs, 1);
}

function stepsOf(codes: string, inputs: readonly string[], depth: number): readonly PlanStep[] | undefined {
  const names = codes.match(/../g) ?? [];
  if (names.length !== inputs.length || names.length === 0 || names.length > MAX_STEPS) return undefined;
  const steps: PlanStep[] = [];
  for (const [i, digits] of inputs.entries()) {
    // Other commands that may fail leave their assets with the router.
    const code = names[i] === OPTIONAL_PERMIT ? "0a" : (names[i] ?? "");
    const inner = stepsInside(code, digits, depth) ?? step(commandDeclarations().get(code), digits);
    if (inner === undefined || steps.length + inner.length > MAX_STEPS) return undefined;
    steps.push(...inner);
  }
  return steps;
}

function stepsInside(code: string, digits: string, depth: number): readonly PlanStep[] | undefined {
  if ((code !== V4_SWAP && code !== EXECUTE_SUB_PLAN) || depth >= MAX_DEPTH) return undefined;
  const values = readArguments(digits, subPlan());
  if (values === undefined) return undefined;
  const args = argumentsOf(values);
  return code === V4_SWAP ? v4Steps(args.hex(0), args.hexes(1)) : stepsOf(args.hex(0), args.hexes(1), depth + 1);
}

function v4Steps(codes: string, inputs: readonly string[]): readonly PlanStep[] | undefined {
  const names = codes.match(/../g) ?? [];
  if (names.length !== inputs.length) return undefined;
  const steps: PlanStep[] = [];
  for (const [i, digits] of inputs.entries()) {
    const each = step(actionDeclarations().get(names[i] ?? ""), digits);
    if (each === undefined) return undefined;
    steps.push(...each);
  }
  return steps;
}

function step(declaration: Declaration | undefined, digits: string): readonly PlanStep[] | undefined {
  return declaration === undefined ? undefined : [{ ...declaration, digits }];
}
