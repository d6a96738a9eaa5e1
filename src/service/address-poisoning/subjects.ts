import { ITEM_INVALID_ADDRESS, ITEM_UNSUPPORTED_CHAIN, unsupportedChainDetail } from "../../api/failures.ts";
import type {
  ChainAddress,
  PoisoningBatchRequest,
  PoisoningSingleRequest,
} from "../../api/schemas/address-poisoning.ts";
import { parseAddressOn } from "../../chains/address.ts";
import { findChain } from "../../chains/registry.ts";
import { type Answer, refuse } from "../answer.ts";
import type { ServiceSubject } from "../subject.ts";

/** Why a chain and an address are no subject, as the error of a batch entry spells it. */
export type SubjectError = {
  readonly code: typeof ITEM_UNSUPPORTED_CHAIN | typeof ITEM_INVALID_ADDRESS;
  readonly detail: string;
};

export type SubjectRead =
  | { readonly ok: true; readonly subject: ServiceSubject }
  | { readonly ok: false; readonly error: SubjectError };

/** The subjects of a single request. Optional ones are absent when they were omitted or empty. */
export interface SingleSubjects {
  readonly ok: true;
  readonly target: ServiceSubject;
  readonly users: readonly ServiceSubject[];
  readonly token?: ServiceSubject;
}

/**
 * The subjects of a batch, each array in its order. A bad target or token becomes an entry with an error. A bad user
 * refuses the batch.
 */
export interface BatchSubjects {
  readonly ok: true;
  readonly users: readonly ServiceSubject[];
  readonly targets: readonly SubjectRead[];
  readonly tokens: readonly SubjectRead[];
}

/** Reads a single request, the chain first. The first bad address refuses the request. */
export function singleSubjects(request: PoisoningSingleRequest): SingleSubjects | Answer<never> {
  const { chain_id, address, user_address, token_address } = request;
  const target = readSubject({ chain_id, address });
  if (!target.ok) return refuseField("address", target.error);
  const user = readOptional(chain_id, user_address);
  if (user?.ok === false) return refuseField("user_address", user.error);
  const token = readOptional(chain_id, token_address);
  if (token?.ok === false) return refuseField("token_address", token.error);
  return {
    ok: true,
    target: target.subject,
    users: user === undefined ? [] : [user.subject],
    ...(token === undefined ? {} : { token: token.subject }),
  };
}

/**
 * Reads a batch. A user that cannot be compared refuses the batch, because ignoring the user would look like a clean
 * answer.
 */
export function batchSubjects(request: PoisoningBatchRequest): BatchSubjects | Answer<never> {
  const users: ServiceSubject[] = [];
  for (const [i, user] of request.user_addresses.entries()) {
    const read = readSubject(user);
    if (!read.ok) return refuseUser(i, read.error);
    users.push(read.subject);
  }
  return {
    ok: true,
    users,
    targets: request.target_addresses.map(readSubject),
    tokens: request.token_addresses.map(readSubject),
  };
}

function readSubject({ chain_id, address }: ChainAddress): SubjectRead {
  const chain = findChain(chain_id);
  if (chain === undefined) {
    return { ok: false, error: { code: ITEM_UNSUPPORTED_CHAIN, detail: unsupportedChainDetail(chain_id) } };
  }
  const parsed = parseAddressOn(chain, address);
  if (!parsed.ok) return { ok: false, error: { code: ITEM_INVALID_ADDRESS, detail: parsed.detail } };
  return { ok: true, subject: { chain, address: parsed.value } };
}

function readOptional(chainId: string, address: string | undefined): SubjectRead | undefined {
  return address === undefined || address === "" ? undefined : readSubject({ chain_id: chainId, address });
}

function refuseField(field: string, { code, detail }: SubjectError): Answer<never> {
  if (code === ITEM_UNSUPPORTED_CHAIN) return refuse("unsupportedChain", detail);
  return refuse("invalidAddress", `${field}: ${detail}`);
}

function refuseUser(index: number, { code, detail }: SubjectError): Answer<never> {
  const field = code === ITEM_UNSUPPORTED_CHAIN ? "chain_id" : "address";
  return refuse("schemaMismatch", `user_addresses[${index}].${field}: ${detail}`);
}
