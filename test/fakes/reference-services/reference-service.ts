import { ITEM_UNSUPPORTED_CHAIN, unsupportedChainDetail } from "../../../src/api/failures.ts";
import type { ResponseOf, RouteName, SentTo } from "../../../src/api/routes.ts";
import type { PoisoningBatchRequest, PoisoningSingleRequest } from "../../../src/api/schemas/address-poisoning.ts";
import { ChainUnsupportedError } from "../../../src/worker/answers/service-errors.ts";
import type { SecurityService } from "../../../src/worker/ports.ts";
import { type Place, placeOf, type Rule, resembles } from "./rule.ts";

type Request =
  | { readonly route: "poisoningSingle"; readonly request: PoisoningSingleRequest }
  | { readonly route: "poisoningBatch"; readonly request: PoisoningBatchRequest };

type Item = PoisoningBatchRequest["user_addresses"][number];

/** Exchanges that every reference service knows. A lookalike of an exchange mimics it, for any user. */
export const exchanges: readonly Place[] = [
  placeOf({ chain_id: "1", address: "0x28c6c06298d514db089934071355e5743bf21d60" }),
  placeOf({ chain_id: "tron", address: "TRS38S9NoyfDhVaehimTx64EheyDhRSQiV" }),
];

/** A service that detects lookalikes with one rule, and knows a few exchanges. It checks and records its requests. */
export class ReferenceService implements SecurityService {
  readonly requests: Request[] = [];
  readonly #rule: Rule;
  readonly #delay: () => Promise<void>;

  /** @param delay of an answer. */
  constructor(rule: Rule, delay: () => Promise<void> = async () => {}) {
    this.#rule = rule;
    this.#delay = delay;
  }

  async ask<N extends RouteName>(route: N, request: SentTo<N>, _signal: AbortSignal): Promise<ResponseOf<N>> {
    const asked = { route, request } as unknown as Request;
    this.requests.push(asked);
    await this.#delay();
    if (asked.route === "poisoningSingle") return this.#single(asked.request) as ResponseOf<N>;
    if (asked.route === "poisoningBatch") return this.#batch(asked.request) as ResponseOf<N>;
    throw new Error(`asked for ${route}`);
  }

  #single(request: PoisoningSingleRequest): ResponseOf<"poisoningSingle"> {
    const { chain_id, address, user_address = "", token_address = "" } = request;
    if (this.#rule.refuses === String(chain_id))
      throw new ChainUnsupportedError(unsupportedChainDetail(String(chain_id)));
    const users = user_address === "" ? [] : [placeOf({ chain_id, address: user_address })];
    const imitatesUser = this.#rule.imitatesUser(users);
    const isSilent = (asked: Place) => this.#rule.isSilentOn?.(asked, users) === true;
    const token = token_address === "" ? undefined : placeOf({ chain_id, address: token_address });
    return {
      code: "0",
      status: "ok",
      data: {
        target_address: this.#target(placeOf({ chain_id, address }), imitatesUser, isSilent),
        token_address: token === undefined ? {} : this.#token(token, imitatesUser),
        target_address_input: address,
        user_address_input: user_address,
        token_address_input: token_address,
      },
    };
  }

  #batch(request: PoisoningBatchRequest): ResponseOf<"poisoningBatch"> {
    const { user_addresses: users, target_addresses: targets, token_addresses: tokens } = request;
    const count = users.length + targets.length + tokens.length;
    if (users.length === 0 || targets.length + tokens.length === 0 || count > 1000)
      throw new Error(`no batch: ${users.length} users, ${targets.length} targets, ${tokens.length} tokens`);
    for (const items of [users, targets, tokens]) expectDistinct(items);
    const among = users.map(placeOf);
    const imitatesUser = this.#rule.imitatesUser(among);
    const isSilent = (asked: Place) => this.#rule.isSilentOn?.(asked, among) === true;
    const imitatorAt = (at: number) =>
      this.#rule.judgesTargetAt?.(at, targets.length) === false ? () => false : imitatesUser;
    return {
      code: "0",
      status: "ok",
      data: {
        target_addresses: targets.map((item, at) => ({
          ...echo(item),
          ...(this.#refusal(item) ?? this.#target(placeOf(item), imitatorAt(at), isSilent)),
        })),
        token_addresses: tokens.map((item) => ({
          ...echo(item),
          ...(this.#refusal(item) ?? this.#token(placeOf(item), imitatesUser)),
        })),
      },
    };
  }

  #refusal({ chain_id }: Item) {
    if (this.#rule.refuses !== String(chain_id)) return undefined;
    return { error: { code: ITEM_UNSUPPORTED_CHAIN, detail: unsupportedChainDetail(String(chain_id)) } };
  }

  #target(target: Place, imitatesUser: (asked: Place) => boolean, isSilent: (asked: Place) => boolean) {
    const user = imitatesUser(target);
    const isCalledExchange = user && this.#rule.callsUsersExchanges === true;
    const exchange = isCalledExchange || exchanges.some((known) => resembles(target, known));
    return {
      is_poisoning: flag(user || exchange || this.#rule.lists?.(target) === true),
      mimics_user: flag(user && this.#rule.isSilentOnUsers !== true && !isSilent(target)),
      mimics_exchange: flag(exchange),
    };
  }

  #token(token: Place, imitatesUser: (asked: Place) => boolean) {
    const isPoisoning = this.#rule.lists?.(token) === true || (this.#rule.judgesTokens === true && imitatesUser(token));
    return { is_poisoning: flag(isPoisoning), mimics_top_token: "0" as const, matched_token: "" };
  }
}

function echo({ chain_id, address }: Item) {
  return { chain_id: String(chain_id), address };
}

function flag(isRaised: boolean): "0" | "1" {
  return isRaised ? "1" : "0";
}

function expectDistinct(items: readonly Item[]): void {
  if (new Set(items.map(({ chain_id, address }) => `${chain_id}|${address}`)).size < items.length)
    throw new Error("an item was sent twice");
}
