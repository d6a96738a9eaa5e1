import type { AdapterCase } from "./case-file.ts";
import { aboutStranger, allRetyped, nulled, retyped, without, withoutEntry, withTwin } from "./mutations.ts";
import { echoing } from "./put-question.ts";
import type { Reply } from "./stand-in.ts";

/** A response that must not lead to ALLOW. */
export interface Hostile {
  /** The name of the response in the report. */
  readonly name: string;
  readonly reply: Reply;
  /** The code that the reasons must contain. */
  readonly code?: string;
  /** The target of a batch that the response is about; undefined: all targets. */
  readonly about?: string;
  /** The remedy for an adapter that takes the response for clean. */
  readonly remedy: string;
}

const READ_STATUS = "Weir reads this status: return nothing from refusal, or a failure";
const READ_TYPES = "check the type of each field that the answer rests on; leave out what is not known";

/** A body of this size is not read, whether the header announces it or not. */
const HUGE_BYTES = 11 * 1024 * 1024;

/**
 * Responses of services with a fault, made from a clean answer. The clean body is kept where a status or a header alone
 * marks the fault.
 */
export function hostileReplies(clean: AdapterCase): readonly Hostile[] {
  return [...byStatus(clean), ...byBody(clean), ...byNeed(clean), ...byAddress(clean)];
}

function byStatus({ response }: AdapterCase): readonly Hostile[] {
  const with_ = (
    status: number,
    code: string | undefined,
    headers: Readonly<Record<string, string>> = {},
    note = "",
  ): Hostile => ({
    name: `${status}${note} with a clean body`,
    reply: { ...replyOf(response.body), status, headers },
    ...(code === undefined ? {} : { code }),
    remedy: READ_STATUS,
  });
  return [
    with_(429, "SERVICE_RATE_LIMITED", { "retry-after": "2" }, " and Retry-After"),
    with_(429, "SERVICE_RATE_LIMITED"),
    with_(401, "SERVICE_UNAUTHORIZED"),
    with_(403, "SERVICE_UNAUTHORIZED"),
    ...[400, 404, 409, 422].map((status) => with_(status, undefined)),
    ...[500, 502, 503].map((status) => with_(status, "SERVICE_UNAVAILABLE")),
    with_(503, "SERVICE_UNAVAILABLE", { "retry-after": "2" }, " and Retry-After"),
    with_(302, "SERVICE_UNAVAILABLE", { location: "/elsewhere" }, " (a redirect)"),
  ];
}

function byBody({ response }: AdapterCase): readonly Hostile[] {
  const whole = JSON.stringify(response.body);
  const text = (name: string, body: string, headers: Readonly<Record<string, string>> = {}): Hostile => ({
    name,
    reply: { status: 200, headers, body },
    remedy: "check that the body is what the service answers before anything is read from it",
  });
  return [
    text("an empty body", ""),
    text("a page of HTML", "<html><body>maintenance</body></html>", { "content-type": "text/html" }),
    text("HTML that says it is JSON", "<html></html>"),
    text("JSON cut in half", whole.slice(0, Math.ceil(whole.length / 2))),
    ...["null", "[]", "{}", "true", '"ok"', "[null]"].map((body) => text(`the body ${body}`, body)),
    ...[{ error: "internal error" }, { status: "error", message: "try again" }, { success: false, data: null }].map(
      (body) => text(`the body ${JSON.stringify(body)}`, JSON.stringify(body)),
    ),
    { ...text("another type in every field", JSON.stringify(allRetyped(response.body))), remedy: READ_TYPES },
    text(`a body of ${HUGE_BYTES} bytes`, `${" ".repeat(HUGE_BYTES)}${whole}`),
  ];
}

/** Responses without the fields that the case declares as needed. */
export function byNeed({ response: { body }, needs }: AdapterCase): readonly Hostile[] {
  return needs.flatMap((field): readonly Hostile[] => {
    const of = (name: string, changed: unknown): readonly Hostile[] =>
      changed === undefined
        ? []
        : [
            {
              name: `${name} ${field}`,
              reply: replyOf(changed),
              remedy: `take the answer for unknown without ${field}`,
            },
          ];
    const types: readonly Hostile[] = of("another type in", retyped(body, field));
    return [
      ...of("no", without(body, field)),
      ...of("null in", nulled(body, field)),
      ...types.map((each) => ({ ...each, remedy: READ_TYPES })),
    ];
  });
}

/** No response at all. No code of an adapter runs, so one such case is enough. */
export const silence: Hostile = {
  name: "no answer in time",
  reply: { status: 200, headers: {}, body: undefined },
  code: "SERVICE_UNAVAILABLE",
  remedy: "keep the functions synchronous",
};

function byAddress({ operation, question, response: { body } }: AdapterCase): readonly Hostile[] {
  if (!echoing.has(operation)) return [];
  const targets = targetsOf(question);
  return targets.flatMap((target): readonly Hostile[] => {
    const others = targets.filter((other) => other !== target);
    const text = aboutStranger(JSON.stringify(body), target);
    const renamed: readonly Hostile[] =
      text === undefined
        ? []
        : [
            {
              name: `an answer about another address than ${target}`,
              reply: { status: 200, headers: {}, body: text },
              about: target,
              remedy: "answer with the address that the response names, not with the one that was asked",
            },
          ];
    if (operation !== "address-poisoning-batch") return renamed;
    const entry = (name: string, changed: unknown): readonly Hostile[] => {
      const remedy = "give an item for each entry of the response, and none for what the response does not hold";
      return changed === undefined
        ? []
        : [{ name: `${name} ${target}`, reply: replyOf(changed), about: target, remedy }];
    };
    return [
      ...renamed,
      ...entry("no entry for", withoutEntry(body, target, others)),
      ...entry("an unreadable twin before the entry for", withTwin(body, target, others, "before")),
      ...entry("an unreadable twin after the entry for", withTwin(body, target, others, "after")),
    ];
  });
}

/** The addresses of a question, in their original spelling. */
export function targetsOf({ address, targets }: Readonly<Record<string, unknown>>): readonly string[] {
  if (typeof address === "string") return [address];
  const items = (Array.isArray(targets) ? targets : []) as readonly { readonly address: string }[];
  return items.map((item) => item.address);
}

export function replyOf(body: unknown): Reply {
  return { status: 200, headers: {}, body: JSON.stringify(body) };
}
