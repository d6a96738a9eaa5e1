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

/** A shared empty list, because nearly all events have some empty lists. */
const NONE: readonly never[] = [];

/**
 * The plan of nearly every event: one address, compared with users that the event names. Thousands of these plans wait
 * for answers, so their members are built on access. A copy by `...` therefore lacks them.
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
 * The plan of an event about one address. The event does not say whether money leaves or arrives. Only if the event or
 * its policy names the check `payment`, the event counts as a payment to that address.
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
  // By index: the iterator of a frozen list, such as a policy's, would be allocated for every event.
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
  // Valid texts were parsed once. Only invalid texts stand in the subject as given.
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

/** A growing array reserves room for many items, but nearly all lists here have one item. */
function added<T>(items: readonly T[], item: T): readonly T[] {
  return items.length === 0 ? [item] : [...items, item];
}

function valid<T>(result: { ok: true; value: T } | { ok: false } | undefined): T | undefined {
  return result?.ok ? result.value : undefined;
}
