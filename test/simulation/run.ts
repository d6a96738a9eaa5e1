import policyFile from "../../data/policy.json" with { type: "json" };
import { resumableRecords } from "../../src/cli/screen/resume.ts";
import { OutputUnwritableError } from "../../src/kernel/errors.ts";
import type { Log } from "../../src/kernel/log.ts";
import { MAX_TICKET_AGE_MS, type Ticket } from "../../src/messages/ticket.ts";
import type { Verdict } from "../../src/messages/verdict.ts";
import { readPolicy } from "../../src/policy/policy.ts";
import { ServiceDownError } from "../../src/worker/answers/service-errors.ts";
import { wholeInterface } from "../../src/worker/answers/service-reach.ts";
import { CONFIRM_SHARE } from "../../src/worker/batching/replies/confirm-share.ts";
import { unobserved } from "../../src/worker/observer.ts";
import type { InputRecord } from "../../src/worker/ports.ts";
import { RateLearner } from "../../src/worker/rate-limit/learner/rate-learner.ts";
import { minTimeMs } from "../../src/worker/rate-limit/sharing/quota.ts";
import { runLoop } from "../../src/worker/screening/loop.ts";
import { workerOf } from "../../src/worker/worker.ts";
import { evenly } from "../fakes/turns.ts";
import { shippedBook } from "../support/address-book.ts";
import { labelOf } from "../support/book-of.ts";
import { planAccidents } from "./accidents.ts";
import { ChainsOfVerdicts } from "./chains-of-verdicts.ts";
import type { KnownEvm } from "./evm-transactions.ts";
import { type Scenario, scenarioOf, waitedForMs } from "./scenario.ts";
import { WatchedTickets } from "./silences.ts";
import { SimulatedDisk } from "./simulated-disk.ts";
import { KeyFile } from "./simulated-key.ts";
import { SimulatedService } from "./simulated-service.ts";
import { SimulatedSlots } from "./simulated-slots.ts";
import { Life, VirtualClock, VirtualTime } from "./virtual-clock.ts";
import { type Sight, Watch } from "./watch.ts";
import { WatchedIntake } from "./watched-intake.ts";

/** Labels for the tokens that transactions move. Other tests cover questions about an unlabelled callee. */
function knownTokens(evm: ReadonlyMap<string, KnownEvm>) {
  const tokens = new Set([...evm.values()].flatMap(({ token }) => token ?? []));
  return shippedBook(...[...tokens].flatMap((token) => [labelOf("1", token, "token"), labelOf("56", token, "token")]));
}

export interface Outcome {
  readonly seed: number;
  /** Violated expectations. Empty when all was well. */
  readonly faults: readonly string[];
  /** The observed situations and their numbers. */
  readonly seen: ReadonlyMap<Sight, number>;
  readonly requests: number;
  readonly events: number;
}

/** A process that still runs after this time, or after this many steps, makes no progress. */
const MAX_LIFE_MS = 48 * 3_600_000;
const MAX_STEPS = 60_000;
const MAX_LIVES = 30;
/** The time that a process needs to stop, or to write a verdict when many wait. */
const STOP_MS = 1_000;
const WRITE_MS = 50;
/** The world flags every address that resembles a user. Other tests cover the recognition of a user's own address. */
const policyFor = readPolicy(
  JSON.parse(JSON.stringify(policyFile).replaceAll('"known_address_mimics":"WARN"', '"known_address_mimics":"BLOCK"')),
);

/** Runs one scenario to its end: process after process over the same input and disk, until nothing is owed. */
export async function simulate(seed: number, isExact?: boolean): Promise<Outcome> {
  const simulation = new Simulation(scenarioOf(seed, isExact));
  await simulation.run();
  const { watch, service, scenario } = simulation;
  return {
    seed,
    faults: watch.faults,
    seen: watch.seen,
    requests: service.log.length,
    events: scenario.records.length,
  };
}

class Stopped extends Error {}

type End = "died" | "done" | "failed" | "stuck";

class Simulation {
  readonly scenario: Scenario;
  readonly time: VirtualTime;
  readonly watch: Watch;
  readonly service: SimulatedService;
  readonly #chains: ChainsOfVerdicts;
  readonly #disk: SimulatedDisk;
  readonly #keyFile: KeyFile;
  /** Lines with a durable verdict or ticket since the process began. */
  readonly #durable = new Set<number>();
  /** Lines that have a verdict. */
  readonly #judged = new Set<number>();
  /** Lines that had a ticket. */
  readonly #isPutOff = new Set<number>();
  /** When each line was last taken in, milliseconds of ticks. */
  readonly #readAt = new Map<number, number>();
  #isHealed = false;

  constructor(scenario: Scenario) {
    this.scenario = scenario;
    this.time = new VirtualTime(scenario.dice.random);
    this.watch = new Watch(scenario, this.time);
    this.service = new SimulatedService(scenario, this.time, this.watch);
    this.#chains = new ChainsOfVerdicts(scenario, this.watch, this.service.log);
    this.#disk = new SimulatedDisk(scenario.dice, scenario.diskFails, {
      verdict: (verdict) => {
        this.#chains.add(verdict);
        if (!("line" in verdict.source)) return;
        this.#expectPatience(verdict, verdict.source.line);
        this.#isDurable(verdict.source.line);
        this.#judged.add(verdict.source.line);
      },
      ticket: ({ source }: Ticket) => {
        this.watch.saw("tickets");
        if (!("line" in source)) return;
        this.#isDurable(source.line);
        this.#isPutOff.add(source.line);
      },
    });
    this.#keyFile = new KeyFile(scenario.dice);
    const { time, service, watch } = this;
    planAccidents(scenario, { time, service, watch, keyFile: this.#keyFile, isHealed: () => this.#isHealed });
  }

  async run(): Promise<void> {
    const { dice, isCalm } = this.scenario;
    if (isCalm) this.#heal();
    let leaps = 0;
    for (let number = 0; number < MAX_LIVES; number++) {
      const end = await this.#liveOnce(number);
      if (end === "stuck" || this.watch.faults.length > 0) return;
      if (end === "done") {
        if (!this.#isHealed) {
          if (dice.chance(0.7)) this.#heal();
        } else if (leaps === this.#leaps()) {
          this.#chains.end();
          return;
        }
        leaps = this.#leaps();
      } else if (number > MAX_LIVES / 2) this.#heal();
      await this.#pass(dice.between(0, dice.pick([10, 30_000])));
    }
    this.watch.fault(`${MAX_LIVES} processes were not enough`);
  }

  /**
   * How often the wall clock was set beyond the age of a ticket. Only a later process asks the waiting questions again.
   */
  #leaps(): number {
    const { wallSteps } = this.scenario;
    return wallSteps.filter(({ atMs, byMs }) => atMs <= this.time.ticks && byMs >= MAX_TICKET_AGE_MS).length;
  }

  async #liveOnce(number: number): Promise<End> {
    const { scenario, time, watch } = this;
    const life = new Life(time, scenario.deaths[number] ?? Number.POSITIVE_INFINITY);
    const stopping = new AbortController();
    this.#durable.clear();
    watch.begin();
    const loop = this.#process(life, number, stopping);
    this.#planStop(life, number, stopping);
    let end: End | undefined;
    loop.then(
      () => {
        end = "done";
      },
      (thrown: unknown) => {
        end = this.#whyFailed(thrown);
      },
    );
    const isOver = () => end !== undefined || !life.isAlive || life.steps > MAX_STEPS;
    const how = await time.runUntil(isOver, time.ticks + MAX_LIFE_MS);
    watch.end();
    if (end === undefined && !life.isAlive) {
      watch.saw("deaths");
      return "died";
    }
    if (end === undefined) watch.fault(`process ${number} makes no progress (${how} after ${life.steps} steps)`);
    life.end();
    return end ?? "stuck";
  }

  #process(life: Life, number: number, stopping: AbortController): Promise<void> {
    const { scenario, watch, service } = this;
    const { bounds, limit, isLimitKnown, concurrency } = scenario;
    const { sink, ticketLog } = this.#disk.open(life);
    const clock = new VirtualClock(life);
    const book = new WatchedTickets(ticketLog, clock, (line) => watch.takenUp(line));
    const key = this.#keyFile.open(life);
    const slots = new SimulatedSlots(life, limit !== undefined && isLimitKnown ? minTimeMs(limit) : 0, concurrency);
    stopping.signal.addEventListener("abort", () => slots.close(stopping.signal.reason), { once: true });
    const worker = workerOf({
      service: service.connect({ life, number, key: () => key.current().reveal() }),
      slots,
      concurrency,
      pacer: isLimitKnown ? undefined : new RateLearner(scenario.dice.random),
      headroom: undefined,
      weightOf: evenly,
      key,
      keyIsFixed: scenario.keyIsFixed,
      lists: { book: knownTokens(scenario.transactions.evm) },
      clock,
      random: scenario.dice.random,
      log: logTo(watch),
      policyFor,
      software: "simulation",
      sink,
      tickets: book,
      bounds: { realtime: bounds, backfill: bounds },
      patienceMs: scenario.patienceMs,
      maxWaitMs: 300_000,
      deadlineMs: scenario.deadlineMs,
      overdueGraceMs: scenario.overdueGraceMs,
      failuresLaterMs: () => undefined,
      maxVerdictBytes: 64 * 1024 * 1024,
      cacheBytes: scenario.cacheBytes,
      cacheAges: scenario.cacheAges,
      confirmShare: CONFIRM_SHARE,
      groupMax: 8,
      reach: wholeInterface,
      observer: unobserved,
      onLoadRefused: () => {},
      onVerdict: () => undefined,
      signal: stopping.signal,
      abort: (reason) => stopping.abort(reason),
    });
    const lines: number[] = [];
    const intake = new WatchedIntake(bounds, watch, {
      lineAt: (offset) => lines[offset] ?? 0,
      isDurable: (line) => this.#durable.has(line),
      isEnding: () => stopping.signal.aborted,
      onAdmitted: (line) => {
        watch.read(line);
        this.#readAt.set(line, this.time.ticks);
        this.#expectInTime(line, life, stopping.signal);
      },
    });
    const ids = new Set<string>();
    const chunks = resumableRecords(this.#input(life, stopping.signal), {
      verdicts: { settled: this.#disk.settled() },
      tickets: this.#disk.tickets(),
      book,
      tally: {
        countRecord: () => undefined,
        countRepeated: () => undefined,
        countConflicting: () => undefined,
        waiting: undefined,
      },
      seen: { add: (_tenant, _name, id) => (ids.size < ids.add(id).size ? "new" : "repeated") },
    });
    function* noting(records: Iterable<InputRecord>) {
      for (const record of records) {
        lines.push("line" in record.source ? record.source.line : 0);
        yield record;
      }
    }
    async function* noted() {
      for await (const records of chunks) yield noting(records);
    }
    return runLoop(noted(), { ...worker, intake });
  }

  #isDurable(line: number): void {
    this.#durable.add(line);
    this.watch.settled(line);
  }

  #planStop(life: Life, number: number, stopping: AbortController): void {
    const { watch } = this;
    const stopsAt = this.scenario.stops[number];
    if (stopsAt === undefined || this.#isHealed) return;
    this.time.after(stopsAt, () => {
      if (!life.isAlive) return;
      stopping.abort(new Stopped("told to stop"));
      watch.end();
      this.time.after(STOP_MS, () => {
        if (life.isAlive) watch.fault(`process ${number} does not stop`);
      });
    });
  }

  /** A caller waits for a realtime event, so it needs a verdict by its deadline, even a provisional one. */
  #expectInTime(line: number, life: Life, signal: AbortSignal): void {
    const { records, wallSteps } = this.scenario;
    const record = records[line - 1];
    // A ticket is due by the wall clock, because it outlives the process.
    if (wallSteps.length > 0) return;
    if (record?.event.ok !== true || record.event.value.lane !== "realtime") return;
    const readAt = this.time.ticks;
    const look = () => {
      if (!life.isAlive || signal.aborted || this.#judged.has(line)) return;
      const leftMs = this.#waitsUntil(line, record, readAt) + WRITE_MS - this.time.ticks;
      if (leftMs > 0) this.time.after(leftMs, look);
      else this.watch.fault(`line ${line} has no verdict in time`);
    };
    look();
  }

  /** An event that is overdue when it is read waits as long as the service answers; one that was put off, for its deadline. */
  #waitsUntil(line: number, record: InputRecord, readAt: number): number {
    const { deadlineMs } = this.scenario;
    const graceMs = waitedForMs(this.scenario, record);
    if (record.timestamp === undefined || this.#isPutOff.has(line)) return readAt + deadlineMs;
    return Math.min(readAt + deadlineMs, Math.max(readAt, this.service.answeredAt) + graceMs);
  }

  /**
   * An event that is overdue when it is read must not be UNKNOWN before its grace is over. An event with a polled
   * analysis is exempt.
   */
  #expectPatience(verdict: Verdict, line: number): void {
    const { records, expected, wallSteps } = this.scenario;
    const record = records[line - 1];
    const isOverdue = record?.timestamp !== undefined && record.event.ok && record.event.value.lane === "realtime";
    if (!isOverdue || wallSteps.length > 0 || verdict.revision > 0) return;
    const waitedMs = this.time.ticks - (this.#readAt.get(line) ?? 0);
    if (!verdict.checks.some(({ error }) => error?.code === "DEADLINE_PASSED")) {
      this.watch.saw("overdue events answered within their grace");
    } else if (expected[line - 1]?.checks.join() === "poisoning" && waitedMs < waitedForMs(this.scenario, record)) {
      this.watch.fault(`line ${line} is UNKNOWN for now after ${waitedMs.toFixed(0)} ms`);
    }
  }

  async *#input(life: Life, signal: AbortSignal): AsyncGenerator<InputRecord[]> {
    const { records, arrivalMs, gaps, dice } = this.scenario;
    const clock = new VirtualClock(life);
    for (const [i, record] of records.entries()) {
      const gap = gaps.get(i + 1);
      if (gap !== undefined) await clock.sleep(gap, signal);
      if (arrivalMs > 0) await life.wait(dice.between(0, arrivalMs));
      signal.throwIfAborted();
      yield [record];
    }
  }

  #whyFailed(thrown: unknown): End {
    if (thrown instanceof Stopped) this.watch.saw("stops");
    else if (thrown instanceof ServiceDownError && !this.#isHealed) this.watch.gaveUp();
    else if (thrown instanceof OutputUnwritableError && thrown.message.includes("simulated"))
      this.watch.saw("disks full");
    else this.watch.fault(`the run ended with ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : thrown}`);
    return "failed";
  }

  /** From now on every request succeeds. */
  #heal(): void {
    this.#isHealed = true;
    this.service.heal();
    this.#disk.isHealed = true;
    this.#keyFile.text = this.service.key;
  }

  async #pass(ms: number): Promise<void> {
    let isOver = false;
    this.time.after(ms, () => {
      isOver = true;
    });
    await this.time.runUntil(() => isOver, Number.POSITIVE_INFINITY);
  }
}

function logTo(watch: Watch): Log {
  const line = (message: string) => watch.logged(message);
  return { debug: line, info: line, warn: line, error: line };
}
