import { lazy } from "../../kernel/collections.ts";
import type { CanonicalAddress } from "../address.ts";
import { type AbiValue, readArguments, valueBudget } from "./abi/abi-reader.ts";
import { canonicalSignature, isDynamic, readSignature, type TupleType } from "./abi/abi-type.ts";
import { type Arguments, argumentsOf } from "./abi/arguments.ts";
import { ReadSpans } from "./abi/read-spans.ts";
import type { EvmAct, Unexplained } from "./act.ts";
import { accountBatches, serviceBatches } from "./calls/batch-calls.ts";
import { LeftBehind } from "./calls/left-behind.ts";
import { planSteps, routerPlans } from "./calls/router-plan.ts";
import { type Declaration, readServiceCall } from "./calls/service-call.ts";
import { serviceCalls } from "./calls/tables/service-calls.ts";
import { type ReadActs, signatures } from "./calls/token-calls.ts";
import { type EvmCall, isForeignCode, type Unwrap, wrappers } from "./calls/wrappers.ts";
import { keccak256 } from "./keccak256.ts";

/** A transaction in the form that is signed. Amounts are wei; `data` is lower-case hex digits. */
export interface EvmTransfer {
  readonly from: CanonicalAddress;
  /** Undefined when the transaction creates a contract. */
  readonly to: CanonicalAddress | undefined;
  readonly value: bigint;
  readonly data: string;
  /** Code that accounts let act for them, by EIP-7702. The zero address revokes that. */
  readonly delegates: readonly CanonicalAddress[];
}

/**
 * The meaning of a transaction as far as its calldata tells: its effects, every contract that it calls, and the
 * unexplained calls.
 */
export interface EvmReading {
  readonly acts: readonly EvmAct[];
  readonly contracts: readonly CanonicalAddress[];
  /** The accounts that make the calls: the sender, and accounts that the sender acts through, such as a Safe. */
  readonly actors: readonly CanonicalAddress[];
  readonly unexplained: readonly Unexplained[];
  /** Calls of services' functions. They do what their names say only where the contract is that of a service. */
  readonly services: readonly ServiceCall[];
  /** Tokens that calls of services name. */
  readonly tokens: readonly CanonicalAddress[];
  /** Tokens that the calls give for what they take, where the calls name them. */
  readonly bought: readonly CanonicalAddress[];
  /** Further addresses that calls of services name, such as pools and referrers. */
  readonly mentions: readonly CanonicalAddress[];
  /** Whether values of one call share bytes of calldata, so that one mention may be read as several. */
  readonly overlaps: boolean;
}

/** A call of a function that services have. */
export interface ServiceCall {
  readonly contract: CanonicalAddress;
  /** The account that makes the call. */
  readonly by: CanonicalAddress;
  /** 8 hex digits. */
  readonly selector: string;
}

/** The depth of nested calls that is read: a Safe call, its multiSend, a multicall in that, and two more. */
const MAX_DEPTH = 5;
/** The most calls of one transaction that are read. Chosen: about the most that fit into a block. */
const MAX_CALLS = 256;
/** The most acts of one transaction. One batch of items may name more. */
const MAX_ACTS = 1_024;

const SELECTOR_DIGITS = 8;

type Known = { readonly inputs: TupleType } & (
  | { readonly read: ReadActs }
  | { readonly unwrap: Unwrap; readonly isService: boolean; readonly isMulticall: boolean }
  | { readonly isPlan: true }
  | { readonly serves: Declaration }
);

/** Known signatures by the first four bytes of their Keccak-256. */
const knownBySelector = lazy((): ReadonlyMap<string, Known> => {
  const known = new Map<string, Known>();
  const add = (text: string, does: (inputs: TupleType) => Known) =>
    known.set(selectorOf(canonicalSignature(text)), does(readSignature(text).inputs));
  // A later row replaces an earlier row with the same selector.
  for (const text of serviceCalls) {
    add(text, (inputs) => ({ inputs, serves: { inputs, isUnpaid: takesNoCoins.test(text) } }));
  }
  for (const text of routerPlans) add(text, (inputs) => ({ inputs, isPlan: true }));
  for (const [text, read] of Object.entries(signatures)) add(text, (inputs) => ({ inputs, read }));
  const batches = [
    { table: wrappers, isService: false },
    { table: accountBatches, isService: false },
    { table: serviceBatches, isService: true },
  ];
  for (const { table, isService } of batches)
    for (const [text, unwrap] of Object.entries(table)) {
      add(text, (inputs) => ({ inputs, unwrap, isService, isMulticall: text.startsWith("multicall(") }));
    }
  return known;
});

/** The selector of a signature: the first four bytes of calldata, in hex digits. */
export function selectorOf(signature: string): string {
  const hash = keccak256(new TextEncoder().encode(signature));
  return [...hash.subarray(0, SELECTOR_DIGITS / 2)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Reads the effects of a transaction from its own fields, without a request to a node. A contract may do anything in
 * any function; only the meaning of the known signature is read. The depth, the number of calls and the number of acts
 * are bounded. Never throws.
 */
export function readTransaction({ from, to, value, data, delegates }: EvmTransfer): EvmReading {
  const reading = new Reading();
  for (const delegate of delegates) reading.acts.push({ does: "delegate", to: delegate });
  if (to === undefined) reading.unexplained.push({ contract: undefined, why: "creation", selector: "" });
  else reading.follow({ by: from, contract: to, value, data, asCaller: false }, 1);
  reading.finish();
  const { acts, unexplained, actors, services, tokens, mentions } = reading;
  if (acts.length > MAX_ACTS) unexplained.push({ contract: to, why: "too_much", selector: "" });
  return {
    acts: acts.slice(0, MAX_ACTS),
    contracts: [...reading.contracts],
    actors: [from, ...actors.difference(new Set([from]))],
    unexplained,
    services,
    tokens: [...tokens],
    mentions: [...mentions],
    bought: [...reading.bought],
    overlaps: reading.overlaps,
  };
}

/** Functions that give no reason to send coins along. */
const takesNoCoins =
  /^(supply|repay\(|repayWith|depositInto|swapExactTokens|swapTokens|claim|castVote|delegate|approve|allow|set|redeem|withdraw|unwrap|exit|getReward|collect|borrow|enterMarkets|cooldown|increase_|create_lock|unstake|undelegate|queue|remove_liquidity|removeLiquidity|harvest|commit)/;

/** Whether coins that go with the call stay with the contract, unless a call of it uses them. */
function keepsCoins(known: Known): boolean {
  return "serves" in known || "isPlan" in known || ("unwrap" in known && known.isMulticall);
}

class Reading {
  readonly acts: EvmAct[] = [];
  readonly contracts = new Set<CanonicalAddress>();
  readonly actors = new Set<CanonicalAddress>();
  readonly unexplained: Unexplained[] = [];
  readonly services: ServiceCall[] = [];
  readonly tokens = new Set<CanonicalAddress>();
  readonly mentions = new Set<CanonicalAddress>();
  readonly bought = new Set<CanonicalAddress>();
  readonly #left = new LeftBehind();
  readonly #budget = valueBudget();
  overlaps = false;
  #calls = 0;

  follow(call: EvmCall, depth: number): void {
    const { by, contract, value, data } = call;
    this.#calls++;
    const selector = data.slice(0, SELECTOR_DIGITS);
    if (depth > MAX_DEPTH || this.#calls > MAX_CALLS || this.acts.length > MAX_ACTS) {
      // Reported once, because the author of the transaction controls the number of further calls.
      if (this.unexplained.at(-1)?.why !== "too_much") this.#say("too_much", call);
      return;
    }
    this.actors.add(by);
    if (isForeignCode(call)) this.#say("foreign_code", call);
    const isCalled = data !== "" || call.asCaller;
    if (isCalled) this.contracts.add(contract);
    if (!call.asCaller && (value > 0n || !isCalled))
      this.acts.push({ does: "pay", from: by, to: contract, amount: value });
    if (data === "") return;
    const known = knownBySelector().get(selector);
    if (known === undefined) {
      this.#say("unknown_call", call);
      return;
    }
    const spans = isDynamic(known.inputs) ? new ReadSpans() : undefined;
    const values = readArguments(data.slice(SELECTOR_DIGITS), known.inputs, spans, this.#budget);
    this.overlaps ||= spans?.overlap() === true;
    if (value > 0n && keepsCoins(known)) this.#left.receive(contract, value);
    if (values === undefined) this.#say("broken_call", call);
    else if ("serves" in known) this.#serve(known.serves, values, call);
    else if ("isPlan" in known) this.#followPlan(argumentsOf(values), call);
    else if ("read" in known) {
      this.acts.push(...known.read(argumentsOf(values), call));
      // None of these functions accepts coins. A contract that accepts coins here is not the contract that it seems to
      // be.
      if (value > 0n && !call.asCaller) this.#say("broken_call", call);
    } else {
      if (known.isService) this.#addService(call);
      const inside = known.unwrap(argumentsOf(values), call);
      if (inside === undefined) this.#say("broken_call", call);
      else {
        this.acts.push(...inside.acts);
        for (const each of inside.calls) this.follow(each, depth + 1);
      }
    }
  }

  /** Reads a call of a service by its arguments. */
  #serve(declaration: Declaration, values: readonly AbiValue[], call: EvmCall): void {
    const reading = readServiceCall(declaration, values, call);
    this.#addService(call);
    this.acts.push(...this.#left.add(reading, call), ...reading.rights);
    for (const token of reading.bought) this.bought.add(token);
    if (reading.paysAbroad) this.acts.push({ does: "pay_abroad", by: call.contract });
    for (const to of reading.executors) this.acts.push({ does: "hand_over", by: call.contract, to });
    for (const token of reading.tokens) this.tokens.add(token);
    for (const address of reading.mentions) this.mentions.add(address);
    if (reading.isOpaque) this.#say("opaque_bytes", call);
  }

  #addService({ by, contract, data }: EvmCall): void {
    this.services.push({ contract, by, selector: data.slice(0, SELECTOR_DIGITS) });
  }

  #followPlan(args: Arguments, call: EvmCall): void {
    const steps = planSteps(args.hex(0), args.hexes(1));
    if (steps === undefined) this.#say("opaque_bytes", call);
    for (const step of steps ?? []) {
      const values = readArguments(step.digits, step.inputs, undefined, this.#budget);
      if (values === undefined) this.#say("broken_call", call);
      else this.#serve(step, values, call);
    }
  }

  /** The proceeds that no call forwards stay with the contract, for its next caller. */
  finish(): void {
    this.acts.push(...this.#left.rest());
  }

  #say(why: Unexplained["why"], { contract, data }: EvmCall): void {
    this.unexplained.push({ contract, why, selector: data.slice(0, SELECTOR_DIGITS) });
  }
}
