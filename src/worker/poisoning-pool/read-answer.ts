import { parseAddress } from "../../chains/address.ts";
import { findChain } from "../../chains/registry.ts";
import {
  FailedItem,
  type PoisoningBatchResponse,
  TargetFlags,
  type TargetItem,
  TokenFlags,
  type TokenItem,
} from "../../contract/address-poisoning.ts";
import { ITEM_UNSUPPORTED_CHAIN } from "../../contract/failures.ts";
import type { PoisoningEvidence } from "../../events/evidence.ts";
import { AppError } from "../../kernel/errors.ts";
import { AnswerInvalidError, ChainUnsupportedError, ItemFailedError, refuseErrors } from "../service-errors.ts";
import { itemKey, type Part } from "./part.ts";

/** The items of an answer, found by chain and canonical address; their order means nothing. */
export interface AnsweredItems {
  readonly targets: ReadonlyMap<string, readonly TargetItem[]>;
  readonly tokens: ReadonlyMap<string, readonly TokenItem[]>;
}

/** @throws {AnswerInvalidError} when the answer carries an error beside its data. */
export function itemsIn(answer: PoisoningBatchResponse): AnsweredItems {
  refuseErrors(answer, answer.data);
  return { targets: byItem(answer.data.target_addresses), tokens: byItem(answer.data.token_addresses) };
}

/** What the answer says about one part, or why it says nothing. */
export function evidenceFor(
  { chain, target, token }: Pick<Part, "chain" | "target" | "token">,
  items: AnsweredItems,
): PoisoningEvidence | AppError {
  try {
    const flags = only(items.targets.get(itemKey(chain, target)), TargetFlags);
    if (token === undefined) return { target: flags };
    return { target: flags, token: only(items.tokens.get(itemKey(chain, token)), TokenFlags) };
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
}

/** Whether any flag is raised. */
export function isFlagged({ target, token }: PoisoningEvidence): boolean {
  const flags = [target.is_poisoning, target.mimics_user, target.mimics_exchange];
  return [...flags, token?.is_poisoning, token?.mimics_top_token].includes("1");
}

/** How many items the answer has that are about none of these. */
export function extraIn(
  items: AnsweredItems,
  asked: { targets: ReadonlySet<string>; tokens: ReadonlySet<string> },
): number {
  const extra = (found: Iterable<string>, wanted: ReadonlySet<string>) => [...found].filter((key) => !wanted.has(key));
  return extra(items.targets.keys(), asked.targets).length + extra(items.tokens.keys(), asked.tokens).length;
}

/** What a service says of an item goes into a verdict: no more of it than anybody reads. */
const MAX_DETAIL = 200;

interface Schema<F> {
  safeParse(data: unknown): { readonly success: true; readonly data: F } | { readonly success: false };
}

/** The flags of the one item that answers. @throws {AnswerInvalidError | ItemFailedError} */
function only<F>(items: readonly (TargetItem | TokenItem)[] | undefined, schema: Schema<F>): F {
  const [item, ...others] = items ?? [];
  if (item === undefined) throw new AnswerInvalidError("the answer lacks the item that was asked");
  if (others.length > 0) throw new AnswerInvalidError("the answer holds the item that was asked more than once");
  if ("error" in item) {
    const refusal = FailedItem.safeParse(item);
    if (refusal.success) {
      const { code, detail } = refusal.data.error;
      if (code === ITEM_UNSUPPORTED_CHAIN) throw new ChainUnsupportedError(detail);
      throw new ItemFailedError(`${code}: ${detail}`.slice(0, MAX_DETAIL));
    }
    refuseErrors(item);
  }
  const flags = schema.safeParse(item);
  if (!flags.success) throw new AnswerInvalidError("the item lacks its flags");
  return flags.data;
}

function byItem<I extends TargetItem | TokenItem>(items: readonly I[]): ReadonlyMap<string, readonly I[]> {
  return Map.groupBy(items, ({ chain_id, address }) => {
    const chain = findChain(chain_id);
    const parsed = chain === undefined ? undefined : parseAddress(chain.family, address);
    return chain !== undefined && parsed?.ok === true ? itemKey(chain, parsed.value) : `unknown|${chain_id}|${address}`;
  });
}
