import type { Consumer, Kafka } from "kafkajs";
import type { Decision } from "../../src/messages/decision.ts";
import { lacking, Verdict } from "../../src/messages/verdict.ts";
import { freshName } from "../servers/records.ts";
import { withAdmin } from "./cluster.ts";

/** The part of a verdict that is needed to judge it. */
export interface Said {
  readonly verdictId: string;
  readonly revision: number;
  readonly decision: Decision;
  readonly decidedAt: string;
  readonly lacks: ReturnType<typeof lacking>;
  readonly unanswered?: true | undefined;
  /** topic/partition/offset of its event. */
  readonly source: string;
  readonly subject: Verdict["subject"];
  readonly requiredChecks: readonly string[];
  readonly checks: readonly {
    readonly check: string;
    readonly outcome: string;
    readonly requestedAt?: string | undefined;
    readonly answeredAt?: string | undefined;
    readonly data?: unknown;
  }[];
}

/** All records of the verdict topic and of the dead letters, as they arrive. */
export class History {
  /** Verdicts by the name of their event. */
  readonly said = new Map<string, Said[]>();
  /** Reasons of dead letters, by verdict id. */
  readonly deadLetters = new Map<string, string>();
  /** Records that cannot be read. */
  readonly faults: string[] = [];
  verdicts = 0;
  readonly #seen = new Map<string, Set<string>>();
  #consumer: Consumer | undefined;

  async start(kafka: Kafka, topics: { readonly verdicts: string; readonly deadLetters: string }): Promise<void> {
    const consumer = kafka.consumer({
      groupId: freshName("history"),
      maxWaitTimeInMs: 200,
      retry: { retries: 100, restartOnFailure: async () => true },
    });
    this.#consumer = consumer;
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      if (!payload.restart) void this.start(kafka, topics);
    });
    await consumer.connect();
    await consumer.subscribe({ topics: [topics.verdicts, topics.deadLetters], fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ topic, partition, message }) => {
        if (!this.#isNew(`${topic}/${partition}`, message.offset)) return;
        const text = message.value?.toString() ?? "";
        const headers = Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)] as const);
        if (topic === topics.verdicts) this.#addVerdict(text);
        else this.#addDeadLetter(Object.fromEntries(headers));
      },
    });
  }

  /** Whether all records of the topics were read. */
  async isComplete(
    kafka: Kafka,
    topics: { readonly verdicts: string; readonly deadLetters: string },
  ): Promise<boolean> {
    return withAdmin(kafka, async (admin) => {
      for (const topic of [topics.verdicts, topics.deadLetters]) {
        for (const { partition, high } of await admin.fetchTopicOffsets(topic))
          if ((this.#seen.get(`${topic}/${partition}`)?.size ?? 0) < Number(high)) return false;
      }
      return true;
    });
  }

  async stop(): Promise<void> {
    await this.#consumer?.disconnect();
  }

  #isNew(at: string, offset: string): boolean {
    const seen = this.#seen.get(at) ?? new Set();
    this.#seen.set(at, seen);
    if (seen.has(offset)) return false;
    seen.add(offset);
    return true;
  }

  #addVerdict(text: string): void {
    this.verdicts++;
    const parsed = Verdict.safeParse(JSON.parse(text));
    if (!parsed.success) {
      this.faults.push(`no verdict: ${text.slice(0, 200)}`);
      return;
    }
    const { verdict_id, revision, decision, decided_at, source, subject, event_id, required_checks, checks } =
      parsed.data;
    const at = "topic" in source ? `${source.topic}/${source.partition}/${source.offset}` : source.file;
    const name = subject.type === "unreadable" ? subject.record_sha256 : event_id;
    const said: Said = {
      verdictId: verdict_id,
      revision,
      decision,
      decidedAt: decided_at,
      lacks: lacking(parsed.data),
      unanswered: parsed.data.unanswered,
      source: at,
      subject,
      requiredChecks: required_checks,
      checks: checks.map(({ check, outcome, requested_at: requestedAt, answered_at: answeredAt, data }) => ({
        check,
        outcome,
        ...(outcome === "ok" ? { requestedAt, answeredAt, data } : {}),
      })),
    };
    const isUnanswered = decision === "UNKNOWN" && said.lacks === "service";
    if (isUnanswered !== (said.unanswered === true)) this.faults.push(`${name}: unanswered is ${said.unanswered}`);
    const others = this.said.get(name);
    if (others === undefined) this.said.set(name, [said]);
    else others.push(said);
  }

  #addDeadLetter(headers: Readonly<Record<string, string>>): void {
    const { "weir-verdict-id": id, "weir-reasons": reasons } = headers;
    if (id === undefined || reasons === undefined) this.faults.push("a dead letter does not say whose it is, or why");
    else this.deadLetters.set(id, reasons);
  }
}
