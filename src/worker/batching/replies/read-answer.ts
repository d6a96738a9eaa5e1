import { ITEM_UNSUPPORTED_CHAIN } from "../../../api/failures.ts";
import {
  type ChainAddress,
  FailedItem,
  type PoisoningBatchRequest,
  type PoisoningBatchResponse,
  TargetFlags,
  type TargetItem,
  TokenFlags,
  type TokenItem,
} from "../../../api/schemas/address-poisoning.ts";
import { isPlainTarget, plainFlags } from "../../../api/schemas/plain-answer.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { PoisoningEvidence } from "../../../messages/evidence.ts";
import {
  AnswerInvalidError,
  ChainUnsupportedError,
  ExtraItemsError,
  ItemFailedError,
  refuseErrors,
} from "../../answers/service-errors.ts";
import { AnsweredItems, isOf } from "./answered-items.ts";

/** The items of an answer, matched to the items of its request. */
export interface Answered {
  readonly targets: AnsweredItems<TargetItem>;
  readonly tokens: AnsweredItems<TokenItem>;
}

/** @throws {AnswerInvalidError} when the answer carries an error beside its data. */
export function itemsIn(answer: PoisoningBatchResponse, request: PoisoningBatchRequest): Answered {
  refuseErrors(answer, answer.data);
  return {
    targets: new AnsweredItems(request.target_addresses, answer.data.target_addresses),
    tokens: new AnsweredItems(request.token_addresses, answer.data.token_addresses),
  };
}

/** @throws {ExtraItemsError} when the answer has items that the request lacks. */
export function refuseExtra({ targets, tokens }: Answered): void {
  const extra = targets.extra + tokens.extra;
  if (extra > 0) throw new ExtraItemsError(extra);
}

/** The answer about the target and the token at the given indexes, or the error that replaces it. */
export function evidenceAt(
  targetAt: number,
  tokenAt: number | undefined,
  { targets, tokens }: Answered,
): PoisoningEvidence | AppError {
  try {
    const target = targetFlags(targets.at(targetAt), targets.asked(targetAt));
    return tokenAt === undefined ? { target } : { target, token: flagsOf(tokens.at(tokenAt), TokenFlags) };
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
}

/** Whether the service refused only this item, in the form that the interface defines for it. */
export function isItemRefusal(found: PoisoningEvidence | AppError): boolean {
  return found instanceof ItemFailedError || found instanceof ChainUnsupportedError;
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

/** Limit of a service's error text in a verdict, characters. */
const MAX_DETAIL = 200;

interface Schema<F> {
  safeParse(data: unknown): { readonly success: true; readonly data: F } | { readonly success: false };
}

/**
 * Nearly always skips the schema, and replaces the echoed texts by the texts of the request. An echoed text would stay
 * in memory as long as the cached answer.
 *
 * @throws {AnswerInvalidError | ItemFailedError}
 */
function targetFlags(item: TargetItem, asked: ChainAddress | undefined): TargetFlags {
  if (!isPlainTarget(item)) return flagsOf(item, TargetFlags);
  return plainFlags(item, isOf(item, asked) ? asked : item);
}

/** @throws {AnswerInvalidError | ItemFailedError} */
function flagsOf<F>(item: TargetItem | TokenItem, schema: Schema<F>): F {
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
