import { isDeepStrictEqual } from "node:util";
import type { Verdict } from "../../src/messages/verdict.ts";
import { isConfirmed } from "./confirmed-flags.ts";
import type { Expected } from "./expected.ts";
import type { World } from "./scenario.ts";
import { didSing, type LoggedAnswer, type LoggedItem, type LoggedRequest } from "./service-log.ts";
import { type Item, isRaised, itemKey, targetFlags, tokenFlags } from "./truth.ts";

type Flags = Readonly<Record<string, unknown>>;

interface Known {
  readonly world: World;
  readonly log: readonly LoggedRequest[];
  /** Whether a canary failed after a request was sent and before the event was taken up. */
  readonly isStale: (request: LoggedRequest) => boolean;
}

export interface PoisoningEntry extends Pick<Verdict["checks"][number], "requested_at" | "answered_at"> {
  readonly data: { readonly target: Flags; readonly token?: Flags; readonly believed?: unknown };
}

/**
 * The faults of an answered entry about poisoning. There is none when one request in the log answered the entry. The
 * request must be about this item, have the time and the words of the entry, and be credible. Some answers name their
 * request in a stamp. An answer without a stamp is nearly always the only one of its millisecond.
 */
export function faultsOfPoisoning(
  entry: PoisoningEntry,
  expected: Expected,
  { world, log, isStale }: Known,
): readonly string[] {
  const { target: subject } = expected;
  if (subject === undefined) return ["nobody can be asked about it"];
  const target = { ...expected, target: subject };
  const key = itemKey(subject);
  const asking = log.filter(({ keys }) => keys.has(key));
  const each = asking.flatMap((request) => {
    const { answer } = request;
    if (answer === undefined || answer.answeredAt !== entry.answered_at) return [];
    // An answer that was changed on its way counts as an answer, but not as the truth.
    const isPooled = new Set(request.users.map(itemKey)).size > expected.users.length;
    const { data } = entry;
    const isFlagged = isRaised(data.target) || (data.token !== undefined && isRaised(data.token));
    const unconfirmed =
      isPooled && isFlagged && !isConfirmed(data, target, request, log) ? ["a pooled flag was not confirmed"] : [];
    const untrue = answer.isTrue ? faultsAlone(entry, target, world) : [];
    return [
      [
        ...faultsSince(entry, request, asking),
        ...faultsBy(request, answer, target, entry, isStale),
        ...unconfirmed,
        ...untrue,
      ],
    ];
  });
  return each.find((faults) => faults.length === 0) ?? each[0] ?? ["poisoning was never answered"];
}

type Asked = Expected & { readonly target: Item };

/** The limit counts from the first request about the question, which the same process sent. */
function faultsSince(
  { requested_at }: PoisoningEntry,
  { life, number }: LoggedRequest,
  asking: readonly LoggedRequest[],
): readonly string[] {
  const isAsked = asking.some(
    (each) => each.life === life && each.number <= number && each.requestedAt === requested_at,
  );
  return isAsked ? [] : ["it was not asked when it says so"];
}

function faultsBy(
  request: LoggedRequest,
  answer: LoggedAnswer,
  expected: Asked,
  { data: { target, token } }: PoisoningEntry,
  isStale: Known["isStale"],
): readonly string[] {
  const faults: string[] = [];
  const named = new Set(request.users.map(itemKey));
  if (expected.users.some((user) => !named.has(itemKey(user)))) faults.push("its users were not in the request");
  const isPooled = named.size > expected.users.length;
  if (isPooled && !didSing(request, expected.target.chain_id))
    faults.push("it was pooled, and no canary proves the request");
  if (isPooled && isStale(request)) faults.push("it was pooled before a canary fell silent, and its event came later");
  if ((token === undefined) !== (expected.token === undefined)) faults.push("the token was left out");
  const isBatch = request.route === "poisoningBatch";
  const asked = new Set(request.asked.map(itemKey));
  if ([...answer.targets, ...answer.tokens].some((item) => !asked.has(itemKey(item))))
    faults.push("its answer holds what nobody asked");
  const isSaid =
    wasSaid(answer.targets, expected.target, target, isBatch) &&
    (token === undefined || expected.token === undefined || wasSaid(answer.tokens, expected.token, token, isBatch));
  if (!isSaid) faults.push("it is not what the service answered");
  return faults;
}

/**
 * Whether an item of the answer stands in the evidence. An item of a batch is echoed, and the evidence holds the echo.
 */
function wasSaid(items: readonly LoggedItem[], item: Item, flags: Flags, isBatch: boolean): boolean {
  const key = itemKey(item);
  const [found, ...others] = items.filter((each) => itemKey(each) === key);
  if (found?.flags === undefined || others.length > 0) return false;
  return isDeepStrictEqual(
    { ...flags },
    { ...found.flags, ...(isBatch ? { chain_id: found.chain_id, address: found.address } : {}) },
  );
}

/** The other entries of the batch must not matter: the evidence equals the service's answer about the item alone. */
function faultsAlone({ data: { target, token } }: PoisoningEntry, expected: Asked, world: World): readonly string[] {
  const faults: string[] = [];
  if (isRaised(target) !== isRaised(targetFlags(world, expected.target, expected.users)))
    faults.push("asked alone, its target would be answered otherwise");
  if (
    token !== undefined &&
    expected.token !== undefined &&
    isRaised(token) !== isRaised(tokenFlags(world, expected.token))
  )
    faults.push("asked alone, its token would be answered otherwise");
  return faults;
}
