import { numberAt, toHex } from "../../evm-analysis/machine/code.ts";
import type { EvmNode } from "../evm/node.ts";
import { addressOf, WORD_BYTES } from "../evm/word.ts";
import {
  type ContractProxy,
  delegateOf,
  delegates,
  proxyIn,
  type SlotAddresses,
  type SlotName,
  slots,
} from "./proxy.ts";
import { type CallName, calldataOf, formCalls, proxyCalls, selectorOf } from "./questions.ts";

/** All facts that a classification rests on, read at one block. */
export interface AccountFacts {
  readonly address: string;
  readonly block: bigint;
  readonly code: Uint8Array;
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly proxy: ContractProxy | undefined;
  /** Code of the implementation. Empty when there is none. */
  readonly implementationCode: Uint8Array;
  /** Return data of the successful calls that returned at least one word. */
  readonly answers: ReadonlyMap<CallName, Uint8Array>;
}

const none = new Uint8Array();
const slotNames: readonly SlotName[] = ["implementation", "admin", "beacon", "zeppelinos", "proxiable", "first"];

/**
 * Reads an address from a node: its state, and for a contract also the answers to calls. An account takes two rounds, a
 * contract three, and a proxy up to five. One more round follows where calls failed beside others. All rounds read the
 * same block.
 *
 * @throws {NodeUnavailableError}
 */
export async function gather(node: EvmNode, address: string, signal: AbortSignal): Promise<AccountFacts> {
  const block = await node.head(signal);
  const kept = slotNames.map((name) => ({ of: "storage", address, slot: slots[name] }) as const);
  const [code = none, nonce = none, balance = none, ...words] = await node.read(
    [{ of: "code", address }, { of: "nonce", address }, { of: "balance", address }, ...kept],
    block,
    signal,
  );
  const account = {
    address,
    block,
    code,
    nonce: numberAt(nonce, 0, WORD_BYTES),
    balance: numberAt(balance, 0, WORD_BYTES),
  };
  const delegate = delegateOf(code);
  if (code.length === 0 || delegate !== undefined) {
    const proxy = delegate === undefined ? undefined : ({ type: "EIP-7702", implementation: delegate } as const);
    return { ...account, proxy, implementationCode: none, answers: new Map() };
  }
  const asked = { node, address, block, signal };
  const proxy = await proxyOf(asked, code, slotAddresses(words));
  const implementationCode = proxy?.implementation === undefined ? none : await codeOf(asked, proxy.implementation);
  // The facets of a diamond are not read, so a diamond gets every call.
  const own = proxy?.type === "EIP-2535" ? undefined : toHex(code) + toHex(implementationCode);
  const wanted = formCalls.filter((name) => own === undefined || name === "anything" || own.includes(selectorOf(name)));
  return { ...account, proxy, implementationCode, answers: await answersTo(asked, wanted) };
}

interface Asked {
  readonly node: EvmNode;
  readonly address: string;
  readonly block: bigint;
  readonly signal: AbortSignal;
}

function slotAddresses(words: readonly Uint8Array[]): SlotAddresses {
  const of = (name: SlotName) => addressOf(words[slotNames.indexOf(name)]);
  return {
    implementation: of("implementation"),
    admin: of("admin"),
    beacon: of("beacon"),
    zeppelinos: of("zeppelinos"),
    proxiable: of("proxiable"),
    first: of("first"),
  };
}

async function proxyOf(asked: Asked, code: Uint8Array, kept: SlotAddresses): Promise<ContractProxy | undefined> {
  const found = proxyIn(code, kept);
  if (found !== undefined && "beacon" in found) {
    const [told] = await asked.node.call(
      [{ to: found.beacon, data: calldataOf("implementation", found.beacon) }],
      asked.block,
      asked.signal,
    );
    return { type: "EIP-1967 beacon", implementation: told?.ok === true ? addressOf(told.data) : undefined };
  }
  if (found !== undefined || !delegates(code)) return found;
  const answers = await answersTo(asked, proxyCalls);
  if (answers.has("anything")) return undefined;
  // masterCopy() is the only function that a Safe's proxy implements itself.
  if (kept.first !== undefined && addressOf(answers.get("masterCopy")) === kept.first)
    return { type: "Safe", implementation: kept.first };
  // An ABI-encoded array: its offset, and its length.
  const facets = answers.get("facetAddresses");
  if (facets !== undefined && numberAt(facets, 0, WORD_BYTES) === 32n && numberAt(facets, WORD_BYTES, WORD_BYTES) > 0n)
    return { type: "EIP-2535", implementation: undefined };
  const implementation = addressOf(answers.get("implementation"));
  return implementation === undefined ? undefined : { type: "EIP-897", implementation };
}

async function codeOf({ node, block, signal }: Asked, address: string): Promise<Uint8Array> {
  const [code = none] = await node.read([{ of: "code", address }], block, signal);
  return code;
}

async function answersTo(
  { node, address, block, signal }: Asked,
  names: readonly CallName[],
): Promise<ReadonlyMap<CallName, Uint8Array>> {
  const calls = names.map((name) => ({ to: address, data: calldataOf(name, address) }));
  const results = await node.call(calls, block, signal);
  const answers = new Map<CallName, Uint8Array>();
  for (const [i, name] of names.entries()) {
    const result = results[i];
    if (result?.ok === true && result.data.length >= WORD_BYTES) answers.set(name, result.data);
  }
  return answers;
}
