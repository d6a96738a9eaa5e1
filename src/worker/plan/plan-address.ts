import { type CanonicalAddress, canonicalAddressOn } from "../../chains/address.ts";
import { readAddressOn } from "../../chains/address-advice.ts";
import type { Chain } from "../../chains/chain.ts";
import type { AddressBook } from "../../labels/address-book.ts";
import type { Check } from "../../messages/checks.ts";
import type { AddressEvent } from "../../messages/event.ts";
import type { CheckEntry, Subject } from "../../messages/verdict.ts";
import type { PolicyTable, SubjectKind } from "../../policy/policy.ts";
import { failed, notApplicable } from "../answers/check-entry.ts";
import type { Parties } from "../checks/listed-entry.ts";
import { addressPayment } from "./plan-payment.ts";
import type { Plan, Question } from "./question.ts";
import { namedUsers, type Omission } from "./reading/named-users.ts";
import { addressSubject, subjectOf } from "./reading/subject.ts";
import { refused } from "./refused-plan.ts";
import { applicable, union } from "./required-checks.ts";

/** Lists of nothing, which nearly all events have some of. */
const NONE: readonly never[] = [];

/**
 * Of nearly every event: one address, compared with users that the event names. Thousands of these wait for their answers:
 * what they need before and after is made when it is asked for. So a copy by `...` lacks it.
 */
class ComparedAddress implements Plan {
  readonly requiredChecks: readonly Check[];
  readonly #address: CanonicalAddress;
  readonly #chain: Chain;
  readonly #users: readonly CanonicalAddress[];

  constructor(required: readonly Check[], address: CanonicalAddress, chain: Chain, users: readonly CanonicalAddress[]) {
    this.requiredChecks = required;
    this.#address = address;
    this.#chain = chain;
    this.#users = users;
  }

  get subject(): Subject {
    return addressSubject(this.#address, this.#chain.id, this.#users, undefined);
  }

  get questions(): readonly Question[] {
    return [{ check: "poisoning", chain: this.#chain, target: this.#address, users: this.#users, token: undefined }];
  }

  get settled(): readonly CheckEntry[] {
    return NONE;
  }

  get parties(): Parties {
    return { chain: this.#chain, addresses: [this.#address], users: this.#users };
  }
}

/**
 * What an event about one address needs. The event does not say whether its money comes or goes. So only where it names the
 * check `payment`, or its policy does, it is held to be a payment to that address.
 */
export function planAddress(event: AddressEvent, chain: Chain, table: PolicyTable, book: AddressBook): Plan {
  const address = canonicalAddressOn(chain, event.address);
  if (address === undefined) {
    const parsed = readAddressOn(chain, event.address);
    return refused(event, "ADDRESS_INVALID", `address: ${parsed.ok ? "" : parsed.detail}`);
  }
  const { users, omits: userOmits } = namedUsers(event.user_addresses ?? NONE, chain);
  const token = event.token_address === undefined ? undefined : readAddressOn(chain, event.token_address);
  const kind: SubjectKind = token === undefined ? "address" : "address_with_token";
  const required = union(table.required_checks[kind], event.checks ?? NONE);
  const isCompared = token === undefined && event.user_addresses !== undefined && userOmits === undefined;
  if (isCompared && required.length === 1 && required[0] === "poisoning")
    return new ComparedAddress(required, address, chain, users);
  let questions: readonly Question[] = NONE;
  let settled: readonly CheckEntry[] = NONE;
  // By their places: an iterator of a frozen list, as a policy's are, is made anew for every event.
  for (let i = 0; i < required.length; i++) {
    const check = required[i];
    if (check === undefined || check === "listed") continue;
    if (check === "payment") settled = added(settled, addressPayment(address, token, chain, book));
    else if (check === "poisoning") {
      const omits = token === undefined || token.ok ? userOmits : badToken(token.detail);
      const question = { check, chain, target: address, users, token: valid(token) };
      questions = added(questions, omits === undefined ? question : { ...question, omits });
    } else if (check === "token-security" && token !== undefined && !token.ok) {
      const { code, detail } = badToken(token.detail);
      settled = added(settled, failed(check, code, detail));
    } else if (check === "token-security") {
      const named = valid(token);
      if (named !== undefined && chain.family === "evm") questions = added(questions, { check, chain, token: named });
      else if (named === undefined)
        settled = added(settled, failed(check, "CHECK_UNSUPPORTED", "token-security needs a token_address"));
      else if (event.checks?.includes(check))
        settled = added(settled, failed(check, "CHECK_UNSUPPORTED", "only EVM chains have it"));
      else settled = added(settled, notApplicable(check, "only EVM chains have it"));
    } else if (check === "classification" && chain.family === "evm") {
      questions = added(questions, { check, chain, address });
    } else {
      const detail = `${check} does not apply to an address on ${chain.name}`;
      settled = added(settled, failed(check, "CHECK_UNSUPPORTED", detail));
    }
  }
  // What is valid was read once: only what is named and is no address stands in the subject as it was given.
  const isValid = userOmits === undefined && token?.ok !== false;
  const subject = isValid
    ? addressSubject(address, chain.id, event.user_addresses && users, valid(token))
    : subjectOf(event, chain);
  const named = valid(token);
  const parties = { chain, addresses: named === undefined ? [address] : [address, named], users };
  return { subject, requiredChecks: applicable(required, settled), questions, settled, parties };
}

function badToken(detail: string): Omission {
  return { code: "TOKEN_ADDRESS_INVALID", detail: `token_address: ${detail}` };
}

/** An array that grows by itself makes room for many at once: nearly all lists here have one item. */
function added<T>(items: readonly T[], item: T): readonly T[] {
  return items.length === 0 ? [item] : [...items, item];
}

function valid<T>(result: { ok: true; value: T } | { ok: false } | undefined): T | undefined {
  return result?.ok ? result.value : undefined;
}
