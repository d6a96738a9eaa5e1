import { success } from "../../api/envelope.ts";
import type {
  AdapterPoisoning,
  AdapterPoisoningBatch,
  AdapterTarget,
  AdapterTokenItem,
} from "../../api/schemas/adapter-answers.ts";
import type { AdapterPoisoningQuestion, PoisoningBatchQuestion } from "./question.ts";

/** The code of an item without an answer from the service. */
const ITEM_UNKNOWN = "unknown";

type Flags = Pick<
  AdapterTarget,
  "is_poisoning" | "mimics_user" | "mimics_exchange" | "matched_address" | "matched_name"
>;
type TokenFlags = Pick<AdapterTokenItem, "is_poisoning" | "mimics_top_token" | "matched_token" | "matched_address">;

/** The answer of the single form. Missing fields are named in `unknown`, which makes the check UNKNOWN. */
export function singleAnswer(told: AdapterPoisoning, { users, token }: AdapterPoisoningQuestion): object {
  const aboutToken = told.token ?? undefined;
  return success({
    target_address: targetFlags(told, users.length > 0),
    token_address: token === undefined && aboutToken === undefined ? {} : tokenFlags(aboutToken ?? {}),
    target_address_input: told.address,
    user_address_input: users[0] ?? "",
    token_address_input: aboutToken?.address ?? token ?? "",
  });
}

/** The answer about one address in the form of a batch with one target. */
export function batchOfOne(told: AdapterPoisoning, { chain, token }: AdapterPoisoningQuestion): object {
  const aboutToken = told.token ?? (token === undefined ? undefined : { address: token });
  return success({
    target_addresses: [{ chain_id: chain, address: told.address, ...targetFlags(told, true) }],
    token_addresses:
      aboutToken === undefined ? [] : [{ chain_id: chain, address: aboutToken.address, ...tokenFlags(aboutToken) }],
  });
}

/** The answer of a batch. A missing item stays missing, and the worker detects it. */
export function batchAnswer(told: AdapterPoisoningBatch, { users }: PoisoningBatchQuestion): object {
  return success({
    target_addresses: told.targets.map((each) => itemOf(each, targetFlags(each, users.length > 0))),
    token_addresses: (told.tokens ?? []).map((each) => itemOf(each, tokenFlags(each))),
  });
}

function itemOf({ chain, address, error }: AdapterTarget | AdapterTokenItem, flags: object): object {
  const echo = { chain_id: chain, address };
  const isFailed = error !== undefined && error !== null;
  return isFailed ? { ...echo, error: { code: ITEM_UNKNOWN, detail: error } } : { ...echo, ...flags };
}

/** Without users there is no comparison: `mimics_user` is then '0', as in the interface. */
function targetFlags(told: Flags, hasUsers: boolean): object {
  const unknown = unknownIn({
    is_poisoning: told.is_poisoning,
    ...(hasUsers ? { mimics_user: told.mimics_user } : {}),
    mimics_exchange: told.mimics_exchange,
  });
  return {
    is_poisoning: flag(told.is_poisoning),
    mimics_user: flag(told.mimics_user),
    mimics_exchange: flag(told.mimics_exchange),
    ...textsIn({ matched_address: told.matched_address, matched_name: told.matched_name }),
    ...unknown,
  };
}

function tokenFlags(told: TokenFlags): object {
  return {
    is_poisoning: flag(told.is_poisoning),
    mimics_top_token: flag(told.mimics_top_token),
    matched_token: told.matched_token ?? "",
    ...textsIn({ matched_address: told.matched_address }),
    ...unknownIn({ is_poisoning: told.is_poisoning, mimics_top_token: told.mimics_top_token }),
  };
}

function textsIn(texts: Readonly<Record<string, string | null | undefined>>): object {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined && text !== null));
}

function unknownIn(flags: Readonly<Record<string, boolean | null | undefined>>): object {
  const names = Object.entries(flags).flatMap(([name, told]) => (told === undefined || told === null ? [name] : []));
  return names.length === 0 ? {} : { unknown: names };
}

function flag(told: boolean | null | undefined): "0" | "1" {
  return told === true ? "1" : "0";
}
