import type { LogFields } from "../../src/kernel/log.ts";
import { AtOnce } from "./at-once.ts";
import { BoundedRepeats } from "./bounded-repeats.ts";
import { ConfirmTurns } from "./confirm-turns.ts";
import type { Expected } from "./expected.ts";
import { FewRequests } from "./few-requests.ts";
import { garbageKinds } from "./garbage.ts";
import { faultsOfGroup, isGroup } from "./group-rule.ts";
import { LateBinding } from "./late-binding.ts";
import { OthersAnswered } from "./others-answered.ts";
import { PromptRealtime } from "./prompt-realtime.ts";
import { Remembered } from "./remembered.ts";
import type { Scenario } from "./scenario.ts";
import { type Ending, type LoggedRequest, wasSilent } from "./service-log.ts";
import { Silences } from "./silences.ts";
import { itemKey } from "./truth.ts";
import type { VirtualTime } from "./virtual-clock.ts";

/** Situations that must also have occurred in crowds (crowd.ts). */
const ofCrowds = ["429 pauses", "deaths"] as const;

/** Situations that must have occurred over many seeds. Otherwise the simulation proves nothing. */
export const sights = [
  "pooled requests",
  "confirmations",
  "canary failures",
  "refused canaries",
  "breaker openings",
  "retries that wait",
  "429 pauses",
  "deaths",
  "stops",
  "services given up",
  "operations down",
  "disks full",
  "tickets",
  "deadlines",
  "overdue events answered within their grace",
  "refusals",
  "clock steps",
  "keys revoked",
  "cached answers",
  "plain answers",
  "answers of the interface alone",
  "repeated events",
  "later revisions",
  "EVM transactions",
  "receivers compared",
  "serialized transactions",
  "lookup tables",
  "groups of transactions",
  "groups that failed",
  "transactions asked alone after their group",
  "answers changed on their way",
  ...garbageKinds,
  ...ofCrowds.map((what) => `${what} of crowds` as const),
] as const;
export type Sight = (typeof sights)[number];

function isOfCrowds(what: Sight): what is (typeof ofCrowds)[number] {
  return ofCrowds.some((each) => each === what);
}

/** The current expectations of one process. */
interface Duties {
  pausedUntil: number;
  isOpen: boolean;
  isPoolingOff: boolean;
  readonly sentAt: number[];
  /** Requests sent since the breaker opened that have not ended. */
  readonly probes: Set<LoggedRequest>;
  readonly refused: Map<string, number>;
  /** Transactions of groups that failed. */
  readonly inFailedGroups: Set<string>;
}

/** Observes a running worker and records violations. */
export class Watch {
  readonly faults: string[] = [];
  readonly seen = new Map<Sight, number>();
  readonly silences = new Silences();
  readonly #scenario: Scenario;
  readonly #time: VirtualTime;
  readonly #flagged = new Set<string>();
  readonly #lateBinding: LateBinding;
  readonly #fewRequests: FewRequests;
  readonly #promptRealtime: PromptRealtime;
  readonly #othersAnswered: OthersAnswered;
  readonly #atOnce = new AtOnce();
  readonly #boundedRepeats: BoundedRepeats;
  readonly #confirmTurns: ConfirmTurns;
  readonly remembered: Remembered;
  #duties = dutiesOf();

  constructor(scenario: Scenario, time: VirtualTime) {
    this.#scenario = scenario;
    this.#time = time;
    this.#lateBinding = new LateBinding(scenario);
    this.#boundedRepeats = new BoundedRepeats(scenario);
    this.#confirmTurns = new ConfirmTurns(scenario);
    this.remembered = new Remembered(scenario);
    this.#fewRequests = new FewRequests(scenario);
    this.#promptRealtime = new PromptRealtime(scenario, time, (what) => this.fault(what));
    this.#othersAnswered = new OthersAnswered(scenario, time, (what) => this.fault(what));
  }

  fault(what: string): void {
    this.faults.push(`${this.#time.ticks.toFixed(0)} ms: ${what}`);
  }

  saw(what: Sight): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
    if (this.#scenario.isCrowd && isOfCrowds(what)) this.saw(`${what} of crowds`);
  }

  /** A process begins without knowledge of earlier ones. */
  begin(): void {
    this.#duties = dutiesOf();
    this.#lateBinding.begin();
    this.#fewRequests.begin();
    this.#promptRealtime.begin();
    this.#othersAnswered.begin();
    this.#atOnce.begin();
    this.#boundedRepeats.begin();
    this.#confirmTurns.begin();
    this.remembered.begin();
  }

  /** A line of the input is read. */
  read(line: number): void {
    this.takenUp(line);
    this.#lateBinding.read(line, this.#time.ticks);
    this.#fewRequests.read(line, this.#time.ticks);
    this.#promptRealtime.read(line);
    this.#othersAnswered.read(line);
    this.#confirmTurns.read(line, this.#time.ticks);
    this.remembered.read(line, this.#time.ticks);
  }

  /** A line is in flight, or is in flight again. */
  takenUp(line: number): void {
    this.silences.takenUp(line, this.#time.ticks);
  }

  /** A process gives the service up. */
  gaveUp(): void {
    this.saw("services given up");
    this.#othersAnswered.gaveUp();
  }

  /** A process is told to stop, or is gone. */
  end(): void {
    this.#promptRealtime.end();
  }

  /** A verdict or a ticket of a line is durable. */
  settled(line: number): void {
    this.#lateBinding.settled(line);
  }

  sent(request: LoggedRequest): void {
    const { sentAt, probes, pausedUntil, isOpen, isPoolingOff, refused } = this.#duties;
    const now = this.#time.ticks;
    const isPooled = request.canaries.size > 0;
    if (isPooled) this.saw("pooled requests");
    else if (!this.#flagged.isDisjointFrom(request.keys)) this.saw("confirmations");
    if (now < pausedUntil) this.fault(`#${request.number} was sent during a pause until ${pausedUntil}`);
    if (isOpen && probes.size > 0) this.fault(`#${request.number} was sent beside another probe`);
    if (isOpen) probes.add(request);
    if (isPooled && isPoolingOff) this.fault(`#${request.number} was pooled after a canary fell silent`);
    const refusals = refused.get(request.bytes) ?? 0;
    if (refusals > 0 && refusals >= this.#askersOf(request))
      this.fault(`#${request.number} repeats what was refused: ${request.bytes}`);
    this.#sentTransactions(request);
    for (const line of this.#lateBinding.leftOutOf(request, now))
      this.fault(`#${request.number} leaves out line ${line}, which waited when its slot came`);
    this.#promptRealtime.sent(request);
    this.#othersAnswered.sent(request);
    const same = this.#atOnce.sent(request);
    if (same !== undefined)
      this.fault(`#${request.number} is the same as #${same.number}, which is on its way: ${request.bytes}`);
    const turn = this.#confirmTurns.sent(request, now);
    if (turn !== undefined) this.fault(`#${request.number} ${turn}`);
    for (const what of this.#boundedRepeats.sent(request)) this.fault(`#${request.number} ${what}`);
    for (const what of this.#fewRequests.sent(request, now)) this.fault(`#${request.number} ${what}`);
    const { limit, isLimitKnown } = this.#scenario;
    sentAt.push(now);
    if (limit === undefined || !isLimitKnown) return;
    const before = sentAt[sentAt.length - 1 - limit.requests];
    // A window may begin within a rounding error of the request that left it.
    if (before !== undefined && now - before < limit.windowMs - 1e-6)
      this.fault(`#${request.number} is one more than the quota in ${now - before} ms`);
  }

  /**
   * A response reached the worker, or the request timed out. The bytes that the service sent count, however the worker
   * read them.
   */
  ended(request: LoggedRequest, ending: Ending): void {
    const { status, waitMs = 0 } = ending;
    const duties = this.#duties;
    duties.probes.delete(request);
    this.#fewRequests.ended(request, status);
    this.#lateBinding.ended(request, status);
    this.#atOnce.ended(request);
    this.#boundedRepeats.ended(request, ending);
    this.#promptRealtime.ended(request, status);
    if (status === 200) this.#answered(request);
    else if (status === 429) {
      this.saw("429 pauses");
      duties.pausedUntil = Math.max(duties.pausedUntil, this.#time.ticks + waitMs);
    } else if (status === 401 || status === 403) this.#open();
    else if (status === 400 || status === 422) {
      this.saw("refusals");
      duties.refused.set(request.bytes, (duties.refused.get(request.bytes) ?? 0) + 1);
    }
  }

  /** Only the log shows the state of the breaker, and a pause of batching. */
  logged(message: string, _fields?: LogFields): void {
    if (message.endsWith("Weir sends no batches for a while")) this.#rests();
    if (message.startsWith("too many requests fail")) this.saw("retries that wait");
    if (message.startsWith("the service is down")) this.#open();
    if (message.startsWith("the service answers again")) this.#duties.isOpen = false;
  }

  #rests(): void {
    this.#lateBinding.rests();
    this.#fewRequests.rests();
  }

  #open(): void {
    const duties = this.#duties;
    if (duties.isOpen) return;
    this.saw("breaker openings");
    this.#promptRealtime.end();
    this.#boundedRepeats.open();
    duties.isOpen = true;
    duties.probes.clear();
  }

  #sentTransactions({ number, route, transactions }: LoggedRequest): void {
    if (transactions.length === 0) return;
    if (route === "evmTransactionSecurity") this.saw("EVM transactions");
    if (route === "transactionSecurity" && transactions.length > 1)
      this.fault(`#${number} holds ${transactions.length} TRON transactions`);
    if (route !== "solanaEmulate") return;
    const members = transactions.flatMap((key) => this.#scenario.transactions.solana.get(key) ?? []);
    if (members.some(({ isSerialized }) => isSerialized)) this.saw("serialized transactions");
    if (members.some(({ isReceiverInTable }) => isReceiverInTable)) this.saw("lookup tables");
    for (const what of faultsOfGroup(transactions, this.#scenario.transactions.solana))
      this.fault(`#${number} ${what}`);
    if (isGroup(transactions, this.#scenario.transactions.solana)) this.saw("groups of transactions");
    else if (transactions.some((key) => this.#duties.inFailedGroups.delete(key)))
      this.saw("transactions asked alone after their group");
  }

  #answered(request: LoggedRequest): void {
    const { transactions, answer } = request;
    const isFailed =
      isGroup(transactions, this.#scenario.transactions.solana) &&
      (JSON.stringify(answer?.data) ?? "").includes('"result_code":"000000001"');
    if (isFailed) {
      this.saw("groups that failed");
      for (const key of transactions) this.#duties.inFailedGroups.add(key);
    }
    if (request.canaries.size === 0) return;
    if (answer?.targets.some((item) => item.flags === undefined && request.canaries.has(itemKey(item))))
      this.saw("refused canaries");
    if (wasSilent(request)) {
      this.saw("canary failures");
      this.#duties.isPoolingOff = true;
      this.remembered.silent(this.#time.ticks);
      this.silences.heard(this.#time.ticks);
    }
    for (const item of request.answer?.targets ?? []) {
      const isFlagged = Object.values(item.flags ?? {}).includes("1");
      if (isFlagged && !request.canaries.has(itemKey(item))) this.#flagged.add(itemKey(item));
    }
  }

  /** How often this question may be sent: once for each event that asks it, and again for an overdue event. */
  #askersOf({ asked, canaries }: LoggedRequest): number {
    const askers = asked
      .filter((item) => !canaries.has(itemKey(item)))
      .map(({ address }) => {
        const { records, expected } = this.#scenario;
        const about = records.filter((_, i) => isAbout(expected[i], address));
        return about.length + about.filter(({ event }) => event.ok && event.value.lane === "realtime").length;
      });
    return Math.max(1, Math.min(...askers));
  }
}

function isAbout(expected: Expected | undefined, address: string): boolean {
  return expected?.target?.address === address || expected?.token?.address === address;
}

function dutiesOf(): Duties {
  return {
    pausedUntil: 0,
    isOpen: false,
    isPoolingOff: false,
    sentAt: [],
    probes: new Set(),
    refused: new Map(),
    inFailedGroups: new Set(),
  };
}
