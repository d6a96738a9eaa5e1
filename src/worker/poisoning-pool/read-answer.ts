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
import { isPlainTarget, plainFlags } from "../../contract/plain-answer.ts";
import type { PoisoningEvidence } from "../../events/evidence.ts";
import { AppError } from "../../kernel/errors.ts";
import { AnswerInvalidError, ChainUnsupportedError, ItemFailedError, refuseErrors } from "../service-errors.ts";
import { ItemMap } from "./item-map.ts";
import type { Part } from "./part.ts";

/** The items of an answer, found by chain and canonical address; their order means nothing. */
export interface AnsweredItems {
  readonly targets: Answered<TargetItem>;
  readonly tokens: Answered<TokenItem>;
}

interface Answered<I> {
  /** By chain and address; more than one where the service repeats itself. */
  readonly known: ItemMap<readonly I[]>;
  /** How many are on no chain that is known, or about no address of it. */
  readonly unknown: number;
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
    const flags = flagsOf(items.targets.known.get(chain.id, target));
    if (token === undefined) return { target: flags };
    return { target: flags, token: only(items.tokens.known.get(chain.id, token), TokenFlags) };
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
}

/** Whether any flag is raised. */
export function isFlagged({ target, token }: PoisoningEvidence): boolean {
  return (
    target.is_poisoning === "1" ||
    target.mimics_user === "1" ||
    target.mimics_exchange === "1" ||
    token?.is_poisoning === "1" ||
    token?.mimics_top_token === "1"
  );
}

/** Whether an item was asked about. */
type WasAsked = (chainId: string, address: string) => boolean;

/** How many items the answer has that nobody asked about. */
export function extraIn(
  items: AnsweredItems,
  asked: { readonly targets: WasAsked; readonly tokens: WasAsked },
): number {
  const extra = ({ known, unknown }: Answered<unknown>, wasAsked: WasAsked) =>
    unknown + [...known.keys()].filter(([chainId, address]) => !wasAsked(chainId, address)).length;
  return extra(items.targets, asked.targets) + extra(items.tokens, asked.tokens);
}

/** What a service says of an item goes into a verdict: no more of it than anybody reads. */
const MAX_DETAIL = 200;

interface Schema<F> {
  safeParse(data: unknown): { readonly success: true; readonly data: F } | { readonly success: false };
}

/** The flags of a target, nearly always without asking the schema. @throws {AnswerInvalidError | ItemFailedError} */
function flagsOf(items: readonly TargetItem[] | undefined): TargetFlags {
  const item = items?.[0];
  return items?.length === 1 && isPlainTarget(item) ? plainFlags(item) : only(items, TargetFlags);
}

/** The flags of the one item that answers. @throws {AnswerInvalidError | ItemFailedError} */
function only<F>(items: readonly (TargetItem | TokenItem)[] | undefined, schema: Schema<F>): F {
  const item = items?.[0];
  if (items === undefined || item === undefined)
    throw new AnswerInvalidError("the answer lacks the item that was asked");
  if (items.length > 1) throw new AnswerInvalidError("the answer holds the item that was asked more than once");
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

function byItem<I extends TargetItem | TokenItem>(items: readonly I[]): Answered<I> {
  const known = new ItemMap<I[]>();
  let unknown = 0;
  for (const item of items) {
    const chain = findChain(item.chain_id);
    const parsed = chain === undefined ? undefined : parseAddress(chain.family, item.address);
    if (chain === undefined || parsed?.ok !== true) unknown++;
    else {
      const others = known.get(chain.id, parsed.value);
      if (others === undefined) known.set(chain.id, parsed.value, [item]);
      else others.push(item);
    }
  }
  return { known, unknown };
}
