import { isDeepStrictEqual } from "node:util";
import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { PolicyTable } from "../../policy/policy.ts";
import type { SecurityService } from "../../worker/ports.ts";
import type { AdapterCase } from "./case-file.ts";
import { byNeed, type Hostile, hostileReplies, replyOf, silence, targetsOf } from "./hostile.ts";
import { aboutStranger } from "./mutations.ts";
import type { CheckOutcome } from "./outcome.ts";
import { echoing, putQuestion } from "./put-question.ts";
import type { RecordedRequest, StandIn } from "./stand-in.ts";

/** The dependencies of a check. */
export interface CheckDeps {
  readonly service: SecurityService;
  readonly standIn: StandIn;
  readonly table: PolicyTable;
  readonly clock: Pick<Clock, "sleep">;
  /** Operations of the adapter. */
  readonly operations: readonly string[];
}

/** Time within which an aborted question must end, milliseconds. */
const ABORT_MS = 1_000;
/** Time within which a request that the adapter itself sends arrives, milliseconds. Chosen. */
const STRAY_MS = 200;

/** Runs every case, then the responses of services with a fault. Yields a line for each. */
export async function* checkAdapter(
  cases: readonly AdapterCase[],
  deps: CheckDeps,
  signal: AbortSignal,
): AsyncGenerator<CheckedItem> {
  const run = new Run(deps, signal);
  for (const each of cases) yield* run.recorded(each);
  for (const operation of deps.operations) {
    const clean = cases.filter((each) => each.operation === operation && isClean(each));
    yield* run.hostile(operation, clean);
  }
  yield await run.strays();
}

class Run {
  readonly #deps: CheckDeps;
  readonly #signal: AbortSignal;
  #asked = 0;
  /** Requests up to the answer of the last question. */
  #seen = 0;
  /** Requests beyond the first one of a question. */
  #extra = 0;
  #wasSilent = false;

  constructor(deps: CheckDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
  }

  async *recorded(one: AdapterCase): AsyncGenerator<CheckedItem> {
    const { standIn } = this.#deps;
    const { name, operation, response, request, expect, code } = one;
    if (!this.#deps.operations.includes(operation)) {
      yield failedCheck(name, `the adapter has no operation ${operation}`, "remove the case, or write the operation");
      return;
    }
    standIn.reply = { ...replyOf(response.body), status: response.status, headers: response.headers };
    const before = standIn.seen.length;
    const outcomes = await this.#put(one);
    const sent = standIn.seen.slice(before);
    const wrong = outcomes.find((outcome) => outcome.word !== expectedOf(expect, outcome.about));
    const fault = sent[0] === undefined || request === undefined ? undefined : requestFault(request, sent[0]);
    const codes = outcomes.flatMap((outcome) => outcome.codes);
    if (wrong !== undefined) yield failedCheck(name, shown(wrong), `expected ${expectedOf(expect, wrong.about)}`);
    else if (code !== undefined && !codes.includes(code))
      yield failedCheck(name, outcomes.map(shown).join("; "), `expected the reason ${code}`);
    else if (fault !== undefined) yield failedCheck(name, fault, "correct request, or the case");
    else if (outcomes.some(({ isFault }) => isFault))
      yield failedCheck(name, outcomes.map(shown).join("; "), "correct the adapter");
    else yield { check: name, ok: true, detail: words(outcomes), remedy: "" };
  }

  /** @param clean cases of this operation that end with ALLOW. */
  async *hostile(operation: string, clean: readonly AdapterCase[]): AsyncGenerator<CheckedItem> {
    const [first, ...others] = clean;
    if (first === undefined) {
      const remedy =
        "record an answer that clears, with the fields in needs that it rests on; or leave the operation out";
      yield failedCheck(operation, "no case expects ALLOW: nothing shows what else would be taken for it", remedy);
      return;
    }
    for (const one of clean)
      if (one.needs.length === 0)
        yield failedCheck(one.name, "needs is empty", "name the fields of the body without which nothing is clean");
    yield* this.#each(first, hostileReplies(first));
    if (!this.#wasSilent) yield* this.#each(first, [silence]);
    this.#wasSilent = true;
    yield await this.#abort(first);
    if (echoing.has(first.operation) && !targetsOf(first.question).every((each) => isNamed(first, each)))
      yield {
        check: first.name,
        ok: "warn",
        detail: "the response names no address: a mistaken answer is not found out",
        remedy: "ask the vendor for an echo",
      };
    for (const one of others) yield* this.#each(one, byNeed(one));
  }

  async strays(): Promise<CheckedItem> {
    const { standIn, clock } = this.#deps;
    await clock.sleep(STRAY_MS, this.#signal);
    const extra = this.#extra + standIn.seen.length - this.#seen;
    const detail = `${this.#asked} questions made ${standIn.seen.length} requests`;
    if (extra === 0) return { check: "requests", ok: true, detail, remedy: "" };
    return failedCheck(
      "requests",
      `${detail}: ${extra} too many`,
      "send nothing from an adapter: Weir sends the one request of a question",
    );
  }

  async *#each(one: AdapterCase, replies: readonly Hostile[]): AsyncGenerator<CheckedItem> {
    const { standIn } = this.#deps;
    for (const { name, reply, code, about, remedy } of replies) {
      const check = `${one.name}: ${name}`;
      standIn.reply = reply;
      const outcomes = await this.#put(one);
      const concerned = outcomes.filter((outcome) => about === undefined || isSameText(outcome.about, about));
      const bad = concerned.find(({ word }) => word === "ALLOW" || word === "WARN");
      const uncoded = code === undefined ? undefined : concerned.find(({ codes }) => !codes.includes(code));
      const faulty = concerned.find(({ isFault }) => isFault);
      const wrong = bad ?? uncoded ?? faulty;
      if (wrong === undefined) yield { check, ok: true, detail: words(concerned), remedy: "" };
      else
        yield failedCheck(check, shown(wrong), wrong === uncoded ? `expected the reason ${code}: ${remedy}` : remedy);
    }
  }

  /** The caller aborts while the service does not answer. */
  async #abort(one: AdapterCase): Promise<CheckedItem> {
    const check = `${one.name}: given up while it waits`;
    this.#deps.standIn.reply = { status: 200, headers: {}, body: undefined };
    const ending = new AbortController();
    const asked = this.#put(one, ending.signal).then(
      () => "answered",
      () => "ended",
    );
    ending.abort(new Error("given up"));
    const late = this.#deps.clock.sleep(ABORT_MS, this.#signal).then(() => "late");
    const how = await Promise.race([asked, late]);
    if (how === "ended") return { check, ok: true, detail: "ended at once", remedy: "" };
    return failedCheck(check, `it ${how === "late" ? "goes on" : "was answered"}`, "keep the functions synchronous");
  }

  async #put(one: AdapterCase, signal = this.#signal): Promise<readonly CheckOutcome[]> {
    const { service, table, standIn } = this.#deps;
    this.#asked++;
    try {
      return await putQuestion(one, { service, table, signal });
    } finally {
      this.#extra += Math.max(0, standIn.seen.length - this.#seen - 1);
      this.#seen = standIn.seen.length;
    }
  }
}

function isClean({ expect }: AdapterCase): boolean {
  return typeof expect === "string" ? expect === "ALLOW" : Object.values(expect).every((word) => word === "ALLOW");
}

function isNamed({ response }: AdapterCase, address: string): boolean {
  return aboutStranger(JSON.stringify(response.body) ?? "", address) !== undefined;
}

function expectedOf(expect: AdapterCase["expect"], about: string): string | undefined {
  if (typeof expect === "string") return expect;
  return Object.entries(expect).find(([address]) => isSameText(address, about))?.[1];
}

function isSameText(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function requestFault(
  { method, path, body }: NonNullable<AdapterCase["request"]>,
  sent: RecordedRequest,
): string | undefined {
  if (method !== undefined && method !== sent.method) return `it sent a ${sent.method}, not a ${method}`;
  if (path !== undefined && path !== sent.path) return `it asked ${sent.path}, not ${path}`;
  if (body !== undefined && !isDeepStrictEqual(parsed(sent.body), body)) return `it sent the body ${sent.body}`;
  return undefined;
}

function parsed(text: string): unknown {
  return text === "" ? undefined : JSON.parse(text);
}

function words(outcomes: readonly CheckOutcome[]): string {
  return outcomes.map(({ word, codes: [code] }) => (code === undefined ? word : `${word} (${code})`)).join(", ");
}

function shown({ about, word, detail }: CheckOutcome): string {
  return `${about} is ${word}: ${detail}`;
}

function failedCheck(check: string, detail: string, remedy: string): CheckedItem {
  return { check, ok: false, detail, remedy };
}
