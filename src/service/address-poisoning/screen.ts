import { success } from "../../api/envelope.ts";
import type {
  ChainAddress,
  PoisoningBatchRequest,
  PoisoningBatchResponse,
  PoisoningSingleRequest,
  PoisoningSingleResponse,
  TargetFlags,
  TokenFlags,
} from "../../api/schemas/address-poisoning.ts";
import { type Answer, answer } from "../answer.ts";
import type { LabelBook } from "../labels/label-book.ts";
import type { ServiceSubject } from "../subject.ts";
import { gatherTarget, gatherToken } from "./gather.ts";
import { judgeTarget, judgeToken } from "./judge.ts";
import { renderTarget, renderToken } from "./render.ts";
import { batchSubjects, type SubjectRead, singleSubjects } from "./subjects.ts";
import { UserAddresses } from "./user-addresses.ts";

/** Answers the single form. Source: docs/decisions/0001-open-points.md, "Single or batch POST on address-poisoning". */
export function screenSingle(request: PoisoningSingleRequest, labels: LabelBook): Answer<PoisoningSingleResponse> {
  const subjects = singleSubjects(request);
  if (!("target" in subjects)) return subjects;
  const users = new UserAddresses(subjects.users);
  return answer(
    success({
      target_address: screenTarget(subjects.target, users, labels),
      token_address:
        subjects.token === undefined
          ? {}
          : screenToken(subjects.token, labels, namesOf(request.token_symbol, request.token_name)),
      target_address_input: request.address,
      user_address_input: request.user_address ?? "",
      token_address_input: request.token_address ?? "",
    }),
  );
}

/**
 * Answers the batch form. Every target is compared with every user of its family, whatever the chain.
 *
 * Invariant: the answer to an entry depends only on the entry, the users and the labels. Targets and tokens can be
 * reordered, split and merged without changing it.
 */
export function screenBatch(request: PoisoningBatchRequest, labels: LabelBook): Answer<PoisoningBatchResponse> {
  const subjects = batchSubjects(request);
  if (!("targets" in subjects)) return subjects;
  const users = new UserAddresses(subjects.users);
  return answer(
    success({
      target_addresses: items(request.target_addresses, subjects.targets, (s) => screenTarget(s, users, labels)),
      token_addresses: items(request.token_addresses, subjects.tokens, (s, item) =>
        screenToken(s, labels, namesOf(item?.symbol, item?.name)),
      ),
    }),
  );
}

function screenTarget(target: ServiceSubject, users: UserAddresses, labels: LabelBook): TargetFlags {
  return renderTarget(judgeTarget(gatherTarget(target, users, labels)));
}

function screenToken(token: ServiceSubject, labels: LabelBook, names: readonly string[]): TokenFlags {
  return renderToken(judgeToken(gatherToken(token, labels, names)));
}

function namesOf(...told: readonly (string | undefined)[]): readonly string[] {
  return told.filter((name): name is string => name !== undefined && name !== "");
}

/** One answer per entry, in the order of the entries. Each repeats the entry, with either the flags or the error. */
function items<I extends ChainAddress, T>(
  sent: readonly I[],
  reads: readonly SubjectRead[],
  screen: (subject: ServiceSubject, item: I | undefined) => T,
) {
  return reads.map((read, i) => {
    const item = sent[i];
    const echo = { chain_id: item?.chain_id ?? "", address: item?.address ?? "" };
    return read.ok ? { ...echo, ...screen(read.subject, item) } : { ...echo, error: read.error };
  });
}
