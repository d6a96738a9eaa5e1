import { lazy } from "../../../kernel/collections.ts";
import { selectorOf } from "../../evm/read-transaction.ts";
import { bytesListAt, numberAt, SELECTOR_DIGITS, WORD_DIGITS, wordAt } from "./calls-inside.ts";
import { boundOf, type PathEnd, type Payout, payee, tokenInList, tokenInPath } from "./payout.ts";

/**
 * Calldata with commands of one byte each, and one input per command. Source: Uniswap's universal router, Commands.sol.
 */
const executes = lazy(
  (): ReadonlySet<string> => new Set(["execute(bytes,bytes[])", "execute(bytes,bytes[],uint256)"].map(selectorOf)),
);

/** The lowest bits name the command. The highest bit lets the command fail. */
const COMMAND_BITS = 0x3f;
const MAX_COMMANDS = 64;

interface Command {
  /** The input word that names the recipient. */
  readonly to: number;
  readonly token?: number | PathEnd | "list_last";
  /** The input word with the least amount. */
  readonly least?: number;
  /** The input word with the most that it may cost. */
  readonly most?: number;
  /**
   * The command forwards the balance of the router (`passes_on`). Or it trades that balance, unless the word
   * `unlessPaidBy` says that the user pays.
   */
  readonly takes?: "passes_on" | { readonly unlessPaidBy: number; readonly token?: PathEnd };
  /** The input word with a share, in 1 of 10,000. */
  readonly bips?: number;
}

const commands: ReadonlyMap<number, Command> = new Map<number, Command>([
  [0x00, { to: 0, token: "path_last", least: 2, takes: { unlessPaidBy: 4, token: "path_first" } }], // V3_SWAP_EXACT_IN
  [0x01, { to: 0, token: "path_first", most: 2, takes: { unlessPaidBy: 4, token: "path_last" } }], // V3_SWAP_EXACT_OUT
  [0x02, { to: 1 }], // PERMIT2_TRANSFER_FROM
  [0x04, { to: 1, token: 0, least: 2, takes: "passes_on" }], // SWEEP
  [0x05, { to: 1, token: 0, takes: "passes_on" }], // TRANSFER
  [0x06, { to: 1, token: 0, bips: 2 }], // PAY_PORTION
  [0x08, { to: 0, token: "list_last", least: 2, takes: { unlessPaidBy: 4 } }], // V2_SWAP_EXACT_IN
  [0x09, { to: 0, token: "list_last", most: 2, takes: { unlessPaidBy: 4 } }], // V2_SWAP_EXACT_OUT
  [0x0b, { to: 0 }], // WRAP_ETH
  [0x0c, { to: 0, least: 1, takes: "passes_on" }], // UNWRAP_WETH
]);

/**
 * The payments of the commands of a universal router. `none` for another call, undefined for an unknown command.
 * Permits and nested plans count as unknown commands.
 */
export function commandPayouts(call: string): readonly Payout[] | undefined | "none" {
  if (!executes().has(call.slice(0, SELECTOR_DIGITS))) return "none";
  const body = call.slice(SELECTOR_DIGITS);
  const start = numberAt(body, 0);
  const length = start === undefined ? undefined : numberAt(body, 2 * start);
  if (start === undefined || length === undefined || length > MAX_COMMANDS) return undefined;
  const from = 2 * start + WORD_DIGITS;
  const names = body.slice(from, from + 2 * length).match(/../g) ?? [];
  const inputs = bytesListAt(body, 1, MAX_COMMANDS);
  if (names.length === 0 || names.length !== length || inputs.length !== length) return undefined;
  const payouts = names.flatMap((name, i): readonly (Payout | undefined)[] => payoutsOfCommand(name, inputs[i] ?? ""));
  return payouts.every((each) => each !== undefined) ? payouts : undefined;
}

function payoutsOfCommand(name: string, input: string): readonly (Payout | undefined)[] {
  const command = commands.get(Number.parseInt(name, 16) & COMMAND_BITS);
  const to = command === undefined ? undefined : payee(wordAt(input, command.to * WORD_DIGITS), "caller_1_self_2");
  if (command === undefined || to === undefined) return [undefined];
  const bips = command.bips === undefined ? "" : wordAt(input, command.bips * WORD_DIGITS);
  const fee = bips === "" ? undefined : BigInt(`0x${bips}`);
  const token = tokenOf(input, command.token);
  const least = command.least === undefined ? undefined : boundOf(wordAt(input, command.least * WORD_DIGITS));
  const isTrade = command.least !== undefined && command.takes !== "passes_on";
  const takes = takesOf(input, command, token);
  const isUnpaid = command.most === undefined || takes !== undefined;
  const most = isUnpaid ? undefined : boundOf(wordAt(input, command.most * WORD_DIGITS));
  return [{ to, token, least, most, isTrade, fee, takes }];
}

function takesOf(input: string, { takes }: Command, token: string | undefined): Payout["takes"] {
  if (takes === undefined) return undefined;
  if (takes === "passes_on") return { token };
  const isPaidByUser = !/^0*$/.test(wordAt(input, takes.unlessPaidBy * WORD_DIGITS));
  return isPaidByUser ? undefined : { token: tokenOf(input, takes.token) };
}

/** The path is the fourth argument of a swap. */
const PATH_WORD = 3;

function tokenOf(input: string, token: Command["token"]): string | undefined {
  if (token === undefined) return undefined;
  if (typeof token === "number") return wordAt(input, token * WORD_DIGITS).slice(24) || undefined;
  const offset = numberAt(input, PATH_WORD * WORD_DIGITS);
  if (offset === undefined) return undefined;
  return token === "list_last" ? tokenInList(input, 2 * offset) : tokenInPath(input, 2 * offset, token);
}
