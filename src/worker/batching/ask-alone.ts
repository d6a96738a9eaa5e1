import { MAX_BATCH_ITEMS, type PoisoningSingleResponse, TokenFlags } from "../../api/schemas/address-poisoning.ts";
import { parseAddressOn } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import type { AppError } from "../../kernel/errors.ts";
import type { PoisoningEvidence } from "../../messages/evidence.ts";
import { statedAddress } from "../answers/chain-prefixes.ts";
import { AnswerInvalidError, ExtraItemsError, refuseErrors } from "../answers/service-errors.ts";
import type { SecurityService } from "../ports.ts";
import { type BatchEntry, haveSameUsers } from "./batch-entry.ts";
import { NOWHERE } from "./queue/batch-conflicts.ts";
import { evidenceAt, itemsIn, refuseExtra } from "./replies/read-answer.ts";

/** Batch entries on one chain with the same users. They share one request that holds no user of another event. */
export class AloneGroup {
  readonly parts: BatchEntry[];
  readonly first: BatchEntry;
  readonly #items = new Set<string>();

  readonly #most: number;

  /** @param most Limit of items in the request. The first entry is accepted even if it exceeds the limit. */
  constructor(first: BatchEntry, most = MAX_BATCH_ITEMS) {
    this.#most = most;
    this.parts = [first];
    this.first = first;
    for (const key of keysOf(first)) this.#items.add(key);
  }

  /** Items in the request. */
  get size(): number {
    return this.first.users.length + this.#items.size;
  }

  /** @returns whether the entry joined. Entries without users use the single form, which holds one target. */
  add(part: BatchEntry): boolean {
    if (this.first.users.length === 0 || !haveSameUsers(part, this.first)) return false;
    const fresh = keysOf(part).filter((key) => !this.#items.has(key));
    if (this.size + fresh.length > this.#most) return false;
    for (const key of fresh) this.#items.add(key);
    this.parts.push(part);
    return true;
  }
}

/**
 * Asks about entries with only their own users in the request. The answer is final, flagged or not.
 *
 * @returns for each entry its evidence, or the error that replaces it.
 * @throws the error of the service for the whole request.
 */
export async function askAlone(
  { parts, first }: AloneGroup,
  service: SecurityService,
  signal: AbortSignal,
): Promise<ReadonlyMap<BatchEntry, PoisoningEvidence | AppError>> {
  const { chain, users } = first;
  if (users.length === 0) return new Map([[first, await askSingle(first, service, signal)]]);
  const item = (address: string) => ({ chain_id: chain.id, address });
  const targets = placed(parts.map(({ target }) => target));
  const tokens = placed(parts.flatMap(({ token }) => (token === undefined ? [] : [token])));
  const request = {
    user_addresses: users.map(item),
    target_addresses: [...targets.keys()].map(item),
    token_addresses: [...tokens.keys()].map(item),
  };
  const items = itemsIn(await service.ask("poisoningBatch", request, signal), request);
  refuseExtra(items);
  const evidenceFor = ({ target, token }: BatchEntry) =>
    evidenceAt(targets.get(target) ?? NOWHERE, token === undefined ? undefined : tokens.get(token), items);
  return new Map(parts.map((part) => [part, evidenceFor(part)]));
}

/** The distinct addresses, each with its index in the array. */
function placed(addresses: readonly string[]): ReadonlyMap<string, number> {
  return new Map([...new Set(addresses)].map((address, at) => [address, at]));
}

async function askSingle(part: BatchEntry, service: SecurityService, signal: AbortSignal): Promise<PoisoningEvidence> {
  const { chain, target, token } = part;
  const request = { chain_id: chain.id, address: target, ...(token === undefined ? {} : { token_address: token }) };
  const answer = await service.ask("poisoningSingle", request, signal);
  return evidenceOfSingle(part, answer);
}

function evidenceOfSingle({ chain, target, token }: BatchEntry, answer: PoisoningSingleResponse): PoisoningEvidence {
  const { data } = answer;
  refuseErrors(answer, data, data.target_address, data.token_address);
  expectEcho(chain, data.target_address_input, target);
  const unasked = [data.user_address_input, token === undefined ? data.token_address_input : ""];
  const extra = unasked.filter((echo) => echo !== "").length;
  if (extra > 0) throw new ExtraItemsError(extra);
  if (token === undefined) return { target: data.target_address };
  expectEcho(chain, data.token_address_input, token);
  const flags = TokenFlags.safeParse(data.token_address);
  if (!flags.success) throw new AnswerInvalidError("the answer says nothing about the token");
  return { target: data.target_address, token: flags.data };
}

/** The single form echoes its inputs. An echo of another address means that the answer belongs to another question. */
export function expectEcho(chain: Chain, echo: string, asked: string): void {
  const parsed = parseAddressOn(chain, statedAddress(echo, chain));
  if (parsed.ok && parsed.value === asked) return;
  throw new AnswerInvalidError("the answer echoes another address than was asked");
}

function keysOf({ target, token }: BatchEntry): readonly string[] {
  return token === undefined ? [`t${target}`] : [`t${target}`, `k${token}`];
}
