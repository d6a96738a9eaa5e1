import { z } from "zod";
import { STATUS_IN_PROGRESS, STATUS_NOT_OK } from "../../api/envelope.ts";
import { plainWords } from "../../api/requests/plain-words.ts";
import type { RequestOf, SentTo } from "../../api/routes.ts";
import { routes } from "../../api/routes.ts";
import { type AdapterOperation, adapterOperations } from "../../api/schemas/adapter-answers.ts";
import { type CanonicalAddress, parseAddressOn } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import { findChain } from "../../chains/registry.ts";
import { AppError, InputUnreadableError } from "../../kernel/errors.ts";
import type { Check } from "../../messages/checks.ts";
import type { PoisoningEvidence } from "../../messages/evidence.ts";
import type { Subject } from "../../messages/verdict.ts";
import type { PolicyTable } from "../../policy/policy.ts";
import { ChainPrefixes } from "../../worker/answers/chain-prefixes.ts";
import { NotReadyError, refuseErrors } from "../../worker/answers/service-errors.ts";
import { AloneGroup, askAlone } from "../../worker/batching/ask-alone.ts";
import { type BatchEntry, partOf } from "../../worker/batching/batch-entry.ts";
import { dataAbout } from "../../worker/checks/ask.ts";
import { withImitatorFromHistory } from "../../worker/checks/imitators.ts";
import { isUncompared } from "../../worker/decide/findings/poisoning.ts";
import type { SecurityService } from "../../worker/ports.ts";
import { withUnreadDelegates } from "../../worker/simulation/evm-alone.ts";
import { splitAnswer } from "../../worker/simulation/split-answer.ts";
import { type CheckOutcome, later, outcomeOf } from "./outcome.ts";

/** The dependencies of a question. */
export interface QuestionDeps {
  readonly service: SecurityService;
  readonly table: PolicyTable;
  readonly signal: AbortSignal;
}

const Address = z.string().min(1);
const Item = z.strictObject({ chain: z.string(), address: Address });
const One = z.strictObject({ ...Item.shape, users: z.array(Address).default([]), token: Address.optional() });
const Batch = z.strictObject({
  users: z.array(Item).min(1),
  targets: z.array(Item).min(1),
  tokens: z.array(Item).default([]),
});
const Tron = z.strictObject({ transaction: z.unknown(), dapp_url: z.string().optional() });
const Evm = z.looseObject({ chain: z.string(), from: Address, users: z.array(Address).default([]) });

/**
 * Sends the question of a case as the worker does, and returns the worker's result for each answer.
 *
 * @throws {InputUnreadableError} for an invalid question, and the reason of the signal.
 */
export function putQuestion(
  { name, operation, question }: { name: string; operation: AdapterOperation; question: unknown },
  asking: QuestionDeps,
): Promise<readonly CheckOutcome[]> {
  const read = <S extends z.ZodType>(schema: S, value: unknown = question): z.output<S> => {
    const parsed = schema.safeParse(value, { error: plainWords });
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new InputUnreadableError(`${name}: question.${issue?.path.map(String).join(".")}: ${issue?.message}`);
  };
  return puts[operation](read, asking, name);
}

/** The operations with answers that name their own address. */
export const echoing: ReadonlySet<AdapterOperation> = new Set(
  adapterOperations.filter((operation) => !/transaction|solana/.test(operation)),
);

type Read = <S extends z.ZodType>(schema: S, value?: unknown) => z.output<S>;
type Put = (read: Read, asking: QuestionDeps, name: string) => Promise<readonly CheckOutcome[]>;

const puts: Readonly<Record<AdapterOperation, Put>> = {
  "address-poisoning": (read, asking, name) => {
    const { chain, address, users, token } = read(One);
    return poisoning([partIn(name, { chain, target: address, users, token })], asking);
  },
  "address-poisoning-batch": (read, asking, name) => {
    const { users, targets, tokens } = read(Batch);
    const [first] = targets;
    if ([...users, ...targets, ...tokens].some(({ chain }) => chain !== first?.chain))
      throw new InputUnreadableError(`${name}: question: name items of one chain`);
    const named = users.map(({ address }) => address);
    const partAt = ({ chain, address }: z.output<typeof Item>, i: number) =>
      partIn(name, { chain, target: address, users: named, token: tokens[i]?.address });
    return poisoning(targets.map(partAt), asking);
  },
  "token-security": async (read, asking, name) => {
    const { chain, address } = addressIn(name, read(Item));
    return aboutAddress("token-security", chain, address, asking, async ({ service, signal }) => {
      const answer = await service.ask("tokenSecurity", { chainId: chain.id, address }, signal);
      if (answer.status === STATUS_IN_PROGRESS) return later(address, answer.pollAfter);
      return dataAbout(chain, address, answer, new ChainPrefixes());
    });
  },
  "address-classify": async (read, asking, name) => {
    const { chain, address } = addressIn(name, read(Item));
    return aboutAddress("classification", chain, address, asking, async ({ service, signal }) => {
      const answer = await service.ask("classifyQuery", { chain_id: chain.id, address }, signal);
      if (answer.status === STATUS_NOT_OK) throw new NotReadyError("the classification was not ready in time");
      return dataAbout(chain, address, answer, new ChainPrefixes());
    });
  },
  "transaction-security": (read, asking) => {
    const { transaction, dapp_url } = read(Tron);
    const sent = { tron_transactions: [transaction], ...(dapp_url === undefined ? {} : { dapp_url }) };
    const request = read(routes.transactionSecurity.request, sent);
    return aboutTransaction("tron-security", "tron", asking, async ({ service, signal }) => {
      const answer = await service.ask("transactionSecurity", request, signal);
      refuseErrors(answer, answer.data);
      return answer.data;
    });
  },
  "evm-transaction-security": (read, asking) => {
    const { chain, users, ...transaction } = read(Evm);
    const sent = { chain_id: chain, ...transaction, user_addresses: users };
    const request = read(routes.evmTransactionSecurity.request, sent);
    return aboutTransaction("evm-security", chain, asking, async ({ service, signal }) => {
      const answer = await service.ask("evmTransactionSecurity", request, signal);
      refuseErrors(answer, answer.data);
      const listed = request.authorization_list?.map(({ address }) => address.toLowerCase()) ?? [];
      return withUnreadDelegates(answer.data, listed as CanonicalAddress[]);
    });
  },
  "solana-emulate": (read, asking) => {
    const request: RequestOf<"solanaEmulate"> = read(routes.solanaEmulate.request);
    return aboutTransaction("solana-simulation", "solana", asking, async ({ service, signal }) => {
      const answer = await service.ask("solanaEmulate", request as SentTo<"solanaEmulate">, signal);
      const sent = request.sol_transactions.map((transaction, i) => ({
        transaction,
        name: transaction.name ?? String(i),
        locks: undefined,
      }));
      return splitAnswer(answer, [sent])[0];
    });
  },
};

async function poisoning(
  parts: readonly BatchEntry[],
  { service, table, signal }: QuestionDeps,
): Promise<readonly CheckOutcome[]> {
  const [first, ...others] = parts as [BatchEntry, ...BatchEntry[]];
  const group = new AloneGroup(first);
  for (const part of others) group.add(part);
  const told = await caught(() => askAlone(group, service, signal), signal);
  return group.parts.map((part) => {
    const subject: Subject = {
      type: "address",
      chain_id: part.chain.id,
      address: part.target,
      user_addresses: [...part.users],
      ...(part.token === undefined ? {} : { token_address: part.token }),
    };
    return outcomeOf(
      part.target,
      "poisoning",
      subject,
      told instanceof Map ? seenBy(part, told.get(part)) : told,
      table,
    );
  });
}

/**
 * The evidence of a batch entry, or the reason for its absence. The worker's own comparison counts only where the
 * service makes none. Elsewhere its BLOCK would hide an address that the adapter clears.
 */
function seenBy({ chain: { family }, target, users }: BatchEntry, told: PoisoningEvidence | AppError | undefined) {
  if (told === undefined || told instanceof AppError) return told;
  return isUncompared(told.target) ? withImitatorFromHistory(told, family, target, users) : told;
}

async function aboutAddress(
  check: Check,
  chain: Chain,
  address: string,
  asking: QuestionDeps,
  ask: (asking: QuestionDeps) => Promise<object>,
): Promise<readonly CheckOutcome[]> {
  const told = await caught(() => ask(asking), asking.signal);
  if ("word" in told) return [told as CheckOutcome];
  const subject: Subject = { type: "address", chain_id: chain.id, address };
  return [outcomeOf(address, check, subject, told, asking.table)];
}

async function aboutTransaction(
  check: Check,
  chain: string,
  asking: QuestionDeps,
  ask: (asking: QuestionDeps) => Promise<unknown>,
): Promise<readonly CheckOutcome[]> {
  const told = await caught(() => ask(asking), asking.signal);
  const subject: Subject = { type: "transaction", chain_id: chain, transaction_sha256: "" };
  return [outcomeOf(check, check, subject, told, asking.table)];
}

/** The resolved value, or the error. @throws the reason of an aborted signal. */
async function caught<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T | Error> {
  try {
    return await ask();
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof InputUnreadableError || !(thrown instanceof Error)) throw thrown;
    return thrown;
  }
}

function partIn(
  name: string,
  asked: { chain: string; target: string; users: readonly string[]; token: string | undefined },
): BatchEntry {
  const { chain, address } = addressIn(name, { chain: asked.chain, address: asked.target });
  const on = (text: string) => addressIn(name, { chain: asked.chain, address: text }).address;
  return partOf(chain, address, asked.token === undefined ? undefined : on(asked.token), asked.users.map(on));
}

function addressIn(name: string, { chain: id, address: text }: z.output<typeof Item>) {
  const chain = findChain(id);
  if (chain === undefined) throw new InputUnreadableError(`${name}: question: ${id} is no chain that Weir knows`);
  const address = parseAddressOn(chain, text);
  if (!address.ok) throw new InputUnreadableError(`${name}: question: ${text}: ${address.detail}`);
  return { chain, address: address.value };
}
