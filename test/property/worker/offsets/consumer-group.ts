import { expect } from "vitest";
import { type Random, seededRandom } from "../../../../src/kernel/retry.ts";
import type { TopicPartition } from "../../../../src/kernel/stream.ts";
import type { Lane } from "../../../../src/messages/lane.ts";
import { decodeCompletedAhead } from "../../../../src/worker/offsets/completed-ahead.ts";
import { type Admitted, OffsetTracker } from "../../../../src/worker/offsets/offset-tracker.ts";

const bounds = {
  realtime: { events: 6, span: 8, bytes: 30 },
  backfill: { events: 12, span: 16, bytes: 60 },
} as const;
/** Records of one fetch, bytes of the largest record, and largest step from one offset to the next. */
const [FETCH, BYTES, STRIDE] = [5, 9, 4];

/** One partition of the broker, which exists for ever. */
interface Log extends TopicPartition {
  readonly lane: Lane;
  readonly records: readonly { readonly offset: number; readonly bytes: number }[];
  /** Offsets with a durable effect, by any member. */
  readonly published: Set<number>;
  committed: number;
  /** The metadata of the last commit. */
  metadata: string;
  /** The slow model of this process's assignment, while the process owns the partition. */
  tenure: Tenure | undefined;
}

interface Tenure {
  readonly first: number;
  readonly delivered: Map<number, "open" | "settled">;
  /** Offsets that the previous owner completed, according to the commit. */
  readonly before: ReadonlySet<number>;
  /** The watermark at the last check. */
  watermark: number;
  confirmed: number;
  position: number;
  isPaused: boolean;
}

/** Work in flight: the record for the offset tracker, and the assignment in which the work began. */
interface Work extends Admitted {
  readonly log: Log;
  readonly bytes: number;
  readonly tenure: Tenure;
}

/**
 * The first open offset, or the end of the delivered offsets, found from the start. The watermark stays before any gap.
 */
function watermarkOf({ first, delivered }: Tenure): number {
  let watermark = first;
  for (const [offset, state] of delivered) {
    if (state === "open") break;
    watermark = offset + 1;
  }
  return watermark;
}

/**
 * A broker and the members of a group. The offset tracker of one member is compared with a slow model at every step.
 */
export class ConsumerGroup {
  readonly logs: readonly Log[];
  readonly #random: Random;
  #intake = new OffsetTracker(bounds);
  #epoch = 0;
  #work: Work[] = [];

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    const partitions = [0, 1, 2, 3, 4].map((i) => ({ topic: i < 3 ? "events" : "events-backfill", partition: i % 3 }));
    this.logs = partitions.map((at) => ({
      ...{
        ...at,
        lane: at.topic === "events" ? "realtime" : "backfill",
        committed: 0,
        metadata: "",
        tenure: undefined,
      },
      ...{ published: new Set(), records: this.#records(25) },
    }));
  }

  #upTo(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #records(count: number) {
    let next = 0;
    return Array.from({ length: count }, () => {
      const offset = next + (this.#random() < 0.3 ? this.#upTo(STRIDE) : 0);
      next = offset + 1;
      return { offset, bytes: this.#upTo(BYTES + 1) };
    });
  }

  /**
   * A rebalance: this process gets the partitions that `isMine` selects. Others may have had any partition for a while
   * before.
   */
  join(isMine: () => boolean): void {
    this.#epoch++;
    for (const log of this.logs) {
      if (this.#random() < 0.3) publishElsewhere(log, this.#upTo(4));
      // Another member repeats a commit that was superseded.
      if (this.#random() < 0.05) recommit(log, Math.max(0, log.committed - this.#upTo(4)));
      if (!isMine()) {
        this.#intake.revoke(log);
        log.tenure = undefined;
        continue;
      }
      const { topic, partition, lane, committed, tenure } = log;
      const settled = decodeCompletedAhead(committed, log.metadata);
      const unpublished = settled.filter((offset) => !log.published.has(offset));
      expect(unpublished, "told as settled, and nobody settled it").toEqual([]);
      this.#intake.assign({ topic, partition, lane, epoch: this.#epoch, firstOffset: committed, settled });
      const fresh = { first: committed, delivered: new Map(), before: new Set(settled), watermark: committed };
      log.tenure =
        tenure !== undefined && tenure.confirmed <= committed && committed <= watermarkOf(tenure)
          ? tenure
          : { ...fresh, confirmed: committed, position: committed, isPaused: this.#random() < 0.5 };
      Object.assign(log.tenure, { confirmed: committed, position: committed });
    }
    const { pause, resume } = this.#change();
    expect(pause.length + resume.length).toBe(this.#owned().length);
  }

  /** This process dies with all its work in flight, and another one starts in its place. */
  crash(): void {
    this.#intake = new OffsetTracker(bounds);
    this.#epoch = 0;
    this.#work = [];
    for (const log of this.logs) log.tenure = undefined;
  }

  /** One fetch brings the next records of partitions that are not paused. */
  fetch(): void {
    let room = FETCH;
    for (const { log, tenure } of this.#turned(this.#owned())) {
      if (tenure.isPaused) continue;
      const next = log.records.filter(({ offset }) => offset >= tenure.position).slice(0, 1 + this.#upTo(room));
      for (const { offset, bytes } of next.slice(0, room)) {
        this.#deliver(log, tenure, offset, bytes);
        room--;
      }
    }
    this.#change();
  }

  #deliver(log: Log, tenure: Tenure, offset: number, bytes: number): void {
    const { topic, partition } = log;
    const admitted = { topic, partition, epoch: this.#epoch, offset };
    const isBefore = offset < tenure.first || tenure.before.has(offset);
    const known = tenure.delivered.get(offset) ?? (isBefore ? "settled" : undefined);
    const expected = known === "open" ? "in-flight" : (known ?? "new");
    expectSame(this.#intake.admit({ ...admitted, epoch: this.#epoch - 1, bytes }), "lost");
    expectSame(this.#intake.admit({ ...admitted, bytes }), expected);
    tenure.position = offset + 1;
    if (isBefore && offset >= tenure.first) tenure.delivered.set(offset, "settled");
    if (expected !== "new") return;
    tenure.delivered.set(offset, "open");
    this.#work.push({ ...admitted, log, bytes, tenure });
  }

  /** One piece of work ends, and its effect is durable. */
  settle(pick: number): void {
    const [work] = this.#work.splice(pick % (this.#work.length || 1), 1);
    if (work === undefined) return;
    const { log, tenure, topic, partition, epoch, offset } = work;
    log.published.add(offset);
    tenure.delivered.set(offset, "settled");
    expectSame(this.#intake.settle({ topic, partition, epoch, offset }), log.tenure === tenure);
    this.#change();
  }

  /** Commits all due offsets. The broker may not receive the commit, or its answer may not arrive. */
  commit(fate: "confirmed" | "unconfirmed" | "lost"): void {
    for (const { topic, partition, offset, metadata = "" } of this.#intake.commits()) {
      const log = this.logs.find((one) => one.topic === topic && one.partition === partition);
      if (log?.tenure === undefined) throw new Error(`a commit of ${topic}/${partition}, which is not owned`);
      if (fate !== "lost") Object.assign(log, { committed: offset, metadata });
      if (fate !== "confirmed") continue;
      this.#intake.confirmed({ topic, partition, offset });
      log.tenure.confirmed = offset;
    }
  }

  /** Assigns all partitions to this process, and runs until all is committed or the rounds are over. */
  drain(): void {
    this.join(() => true);
    const isBehind = ({ records, committed }: Log) => committed <= (records.at(-1)?.offset ?? -1);
    for (let round = 0; round < 500 && this.logs.some(isBehind); round++) {
      this.fetch();
      while (this.#work.length > 0) this.settle(this.#upTo(this.#work.length));
      this.commit("confirmed");
    }
  }

  /** The invariants that hold at any moment. */
  check(): void {
    const skipped = this.logs.flatMap(({ records, committed, published }) =>
      records.filter(({ offset }) => offset < committed && !published.has(offset)),
    );
    expect(skipped, "committed, and nobody settled it").toEqual([]);

    const owned = this.#owned().map(({ log, tenure }) => ({ log, tenure, offset: watermarkOf(tenure) }));
    const due = owned.filter(({ tenure, offset }) => offset > tenure.confirmed);
    const offered = this.#sorted(this.#intake.commits()).map(({ topic, partition, offset }) => ({
      topic,
      partition,
      offset,
    }));
    const all = owned.map(({ log: { topic, partition }, offset }) => ({ topic, partition, offset }));
    expect(all).toEqual(expect.arrayContaining(offered));
    expect(offered).toEqual(
      expect.arrayContaining(due.map(({ log: { topic, partition }, offset }) => ({ topic, partition, offset }))),
    );

    const movedBack = owned.filter(({ tenure, offset }) => offset < tenure.watermark);
    expect(movedBack, "a watermark moved back").toEqual([]);
    for (const { tenure, offset } of owned) tenure.watermark = offset;

    const tooWide = owned.filter(({ log, tenure, offset }) => {
      const head = Math.max(tenure.first, ...tenure.delivered.keys().map((delivered) => delivered + 1));
      return head - offset >= bounds[log.lane].span + FETCH * STRIDE;
    });
    expect(tooWide, "more than a fetch past the bound").toEqual([]);
    for (const lane of ["realtime", "backfill"] as const) this.#checkLoad(lane);
  }

  #checkLoad(lane: Lane): void {
    const held = this.#work.filter(({ log }) => log.lane === lane);
    const bytes = held.reduce((sum, work) => sum + work.bytes, 0);
    expect(this.#intake.load(lane)).toEqual({ events: held.length, bytes });
    expectSame(held.length < bounds[lane].events + FETCH, true);
    expectSame(bytes < bounds[lane].bytes + FETCH * BYTES, true);
  }

  #owned(): readonly { readonly log: Log; readonly tenure: Tenure }[] {
    return this.logs.flatMap((log) => (log.tenure === undefined ? [] : [{ log, tenure: log.tenure }]));
  }

  /** Pauses and resumes partitions as the offset tracker asks. */
  #change() {
    const changes = this.#intake.changes();
    for (const { log, tenure } of this.#owned()) {
      const isNamed = (at: TopicPartition) => at.topic === log.topic && at.partition === log.partition;
      if (changes.pause.some(isNamed)) tenure.isPaused = true;
      if (changes.resume.some(isNamed)) tenure.isPaused = false;
    }
    return changes;
  }

  /** Begins at a random item, so that no partition always comes first. */
  #turned<T>(items: readonly T[]): readonly T[] {
    const start = this.#upTo(items.length || 1);
    return [...items.slice(start), ...items.slice(0, start)];
  }

  /** Sorts items in the order of the logs. */
  #sorted<T extends TopicPartition>(items: readonly T[]): readonly T[] {
    return items.toSorted((a, b) => (a.topic === b.topic ? a.partition - b.partition : a.topic < b.topic ? -1 : 1));
  }
}

/** Another member completes the next records and commits them. */
function publishElsewhere(log: Log, count: number): void {
  for (const { offset } of log.records.filter((record) => record.offset >= log.committed).slice(0, count)) {
    log.published.add(offset);
    recommit(log, offset + 1);
  }
}

/** Another member commits, without metadata. */
function recommit(log: Log, offset: number): void {
  log.committed = offset;
  log.metadata = "";
}

/** A fast `expect`, which takes longer than all code under test here. */
function expectSame<T>(actual: T, expected: T): void {
  if (actual !== expected) expect(actual).toBe(expected);
}
