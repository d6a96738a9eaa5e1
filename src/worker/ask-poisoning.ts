import { type CanonicalAddress, parseAddress } from "../chains/address.ts";
import type { Family } from "../chains/chain.ts";
import { findChain } from "../chains/registry.ts";
import {
  FailedItem,
  MAX_BATCH_ITEMS,
  TargetFlags,
  type TargetItem,
  TokenFlags,
  type TokenItem,
} from "../contract/address-poisoning.ts";
import type { PoisoningEvidence } from "../events/evidence.ts";
import type { Question } from "./plan.ts";
import type { SecurityService } from "./ports.ts";
import { AnswerInvalidError, ItemFailedError, refuseErrors } from "./service-errors.ts";

type PoisoningQuestion = Extract<Question, { check: "poisoning" }>;
type Call = SecurityService["ask"];

interface Schema<F> {
  safeParse(data: unknown): { readonly success: true; readonly data: F } | { readonly success: false };
}

/**
 * Asks about one event's target and token with that event's own users only. Without users the single form is the only
 * one; with them the batch form, split where they exceed one request, and the flags united: a '1' anywhere stands.
 */
export async function askPoisoning(
  question: PoisoningQuestion,
  call: Call,
  signal: AbortSignal,
): Promise<PoisoningEvidence> {
  if (question.users.length === 0) return askSingle(question, call, signal);
  const room = MAX_BATCH_ITEMS - 1 - (question.token === undefined ? 0 : 1);
  const parts: PoisoningEvidence[] = [];
  for (let at = 0; at < question.users.length; at += room) {
    parts.push(await askBatch(question, question.users.slice(at, at + room), call, signal));
  }
  return parts.reduce(unite);
}

async function askSingle(question: PoisoningQuestion, call: Call, signal: AbortSignal): Promise<PoisoningEvidence> {
  const { chain, target, token } = question;
  const request = { chain_id: chain.id, address: target, ...(token === undefined ? {} : { token_address: token }) };
  const answer = await call("poisoningSingle", request, signal);
  const { data } = answer;
  refuseErrors(answer, data, data.target_address, data.token_address);
  expectEcho(question, data.target_address_input, target);
  if (token === undefined) return { target: data.target_address };
  expectEcho(question, data.token_address_input, token);
  const flags = TokenFlags.safeParse(data.token_address);
  if (!flags.success) throw new AnswerInvalidError("the answer says nothing about the token");
  return { target: data.target_address, token: flags.data };
}

async function askBatch(
  question: PoisoningQuestion,
  users: readonly CanonicalAddress[],
  call: Call,
  signal: AbortSignal,
): Promise<PoisoningEvidence> {
  const { chain, target, token } = question;
  const item = (address: string) => ({ chain_id: chain.id, address });
  const request = {
    user_addresses: users.map(item),
    target_addresses: [item(target)],
    token_addresses: token === undefined ? [] : [item(token)],
  };
  const answer = await call("poisoningBatch", request, signal);
  const { data } = answer;
  refuseErrors(answer, data);
  const flags = flagsOf(data.target_addresses, { question, address: target, schema: TargetFlags });
  if (token === undefined) return { target: flags };
  return { target: flags, token: flagsOf(data.token_addresses, { question, address: token, schema: TokenFlags }) };
}

/** The flags of the item that answers for `address`: found by chain and canonical address, never by position. */
function flagsOf<F>(
  items: readonly (TargetItem | TokenItem)[],
  { question, address, schema }: { question: PoisoningQuestion; address: CanonicalAddress; schema: Schema<F> },
): F {
  const [item, ...extra] = items.filter((each) => isSame(question, each, address));
  if (item === undefined) throw new AnswerInvalidError("the answer lacks the item that was asked");
  if (extra.length > 0 || items.length > 1) throw new AnswerInvalidError("the answer holds items that were not asked");
  const refusal = FailedItem.safeParse(item);
  if (refusal.success) throw new ItemFailedError(`${refusal.data.error.code}: ${refusal.data.error.detail}`);
  refuseErrors(item);
  const flags = schema.safeParse(item);
  if (!flags.success) throw new AnswerInvalidError("the item lacks its flags");
  return flags.data;
}

function isSame({ chain }: PoisoningQuestion, item: { chain_id: string; address: string }, asked: string): boolean {
  return findChain(item.chain_id)?.id === chain.id && canonical(chain.family, item.address) === asked;
}

/** The single form echoes its inputs; another's echo means another's answer. */
function expectEcho({ chain }: PoisoningQuestion, echo: string, asked: string): void {
  if (canonical(chain.family, echo) === asked) return;
  throw new AnswerInvalidError("the answer echoes another address than was asked");
}

function canonical(family: Family, text: string): string | undefined {
  const parsed = parseAddress(family, text);
  return parsed.ok ? parsed.value : undefined;
}

function unite(a: PoisoningEvidence, b: PoisoningEvidence): PoisoningEvidence {
  const token = a.token === undefined || b.token === undefined ? undefined : uniteFlags(a.token, b.token);
  return { target: uniteFlags(a.target, b.target), ...(token === undefined ? {} : { token }) };
}

/** Field by field, '1' before '0', and what only one of them says: a name before an empty one. */
function uniteFlags<T extends object>(a: T, b: T): T {
  const said = new Map<string, unknown>(Object.entries(a));
  const raised = Object.entries(b).filter(([name, value]) => value === "1" || (said.get(name) ?? "") === "");
  return { ...a, ...Object.fromEntries(raised) };
}
