import { ByteBuffer } from "../../../kernel/byte-buffer.ts";
import { type Clock, timestamp } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/hash.ts";
import type { OutRecord, Publisher, RecordHeaders } from "../../../kernel/stream.ts";
import type { DeadLetterHeaders } from "../../../messages/dead-letter.ts";
import { INPUT_KEY_HEADER } from "../../../messages/record-key.ts";
import { subjectKey } from "../../../messages/subject-key.ts";
import { type FailureCode, failureCodes, failuresIn, lacking, type Verdict } from "../../../messages/verdict.ts";
import { VerdictWriter } from "../../../messages/verdict-writer.ts";
import type { InputRecord, VerdictEncoder, VerdictSink } from "../../ports.ts";
import { REPLY_TOPIC_HEADER, type ReplyTopics } from "./reply-topics.ts";

export interface VerdictsDeps {
  readonly publisher: Publisher;
  readonly clock: Clock;
  readonly verdicts: string;
  readonly deadLetters: string;
  readonly maxRecordBytes: number;
  /** Whether a verdict has the key of its input record. By default its key is its subject. */
  readonly isKeyedByInput?: boolean;
  /** Writes each verdict in another format as well, to a topic of its own. Archive and audit read the JSON. */
  readonly formatted?: { readonly topic: string; readonly encoder: VerdictEncoder };
  /** Topics that a record may name for a copy of its verdict. */
  readonly replies?: ReplyTopics;
}

/** Buffer sizes for one verdict. Nearly every verdict takes about a kilobyte. */
const VALUE = { initialBytes: 4 * 1024, keptBytes: 64 * 1024 };

/**
 * Publishes verdicts, keyed by their subject. A verdict that lacks an answer is published with a dead letter, which can
 * bring its event back.
 */
export class VerdictPublisher implements VerdictSink {
  readonly #deps: VerdictsDeps;
  readonly #writer = new VerdictWriter();
  /** The verdict that is being written. A publisher copies its bytes at once. */
  readonly #value = new ByteBuffer(VALUE);

  constructor(deps: VerdictsDeps) {
    this.#deps = deps;
  }

  write(verdict: Verdict, record: InputRecord, isLast: boolean): Promise<void> {
    const { publisher, verdicts } = this.#deps;
    this.#value.clear();
    this.#writer.write(verdict, this.#value);
    const json = this.#value.bytes;
    const out = { key: this.#keyOf(verdict, record), headers: headersOf(verdict, record) };
    const written = publisher.publish({ ...out, topic: verdicts, value: json });
    const others = this.#copies(verdict, record, out, json);
    if (isLast && lacking(verdict) !== undefined) others.push(publisher.publish(this.#deadLetter(verdict, record)));
    // Verdicts that are sent together share a promise.
    return others.length === 0 ? written : Promise.all([written, ...others]).then(() => undefined);
  }

  /** The verdict in another format, and in the topic that its record names for a reply. */
  #copies(
    verdict: Verdict,
    { headers = {}, source }: InputRecord,
    out: Pick<OutRecord, "key" | "headers">,
    json: Uint8Array,
  ): Promise<void>[] {
    const { publisher, formatted, replies } = this.#deps;
    const value = formatted?.encoder.encode(verdict, json) ?? json;
    const reply = replies?.topicOf(headers, source);
    return [formatted?.topic, reply].flatMap((topic) =>
      topic === undefined ? [] : publisher.publish({ ...out, topic, value }),
    );
  }

  /** All verdicts on one event have one key, since tickets and dead letters carry the key of the input record. */
  #keyOf({ subject }: Verdict, { headers }: InputRecord): string | Uint8Array {
    const key = this.#deps.isKeyedByInput === true ? headers?.[INPUT_KEY_HEADER] : undefined;
    return key ?? subjectKey(subject);
  }

  #deadLetter(verdict: Verdict, record: InputRecord): OutRecord {
    const { source } = record;
    const at = "topic" in source ? source : { topic: source.file, partition: 0, offset: String(source.line) };
    const errors = verdict.checks.flatMap(({ error }) => error ?? []);
    const headers = {
      "weir-reasons": [...codesOf([...errors, ...failuresIn(verdict)])].join(","),
      "weir-verdict-id": verdict.verdict_id,
      "weir-revision": String(verdict.revision),
      "weir-default-id": record.defaultId,
      "weir-topic": at.topic,
      "weir-partition": String(at.partition),
      "weir-offset": at.offset,
      "weir-lane": record.lane ?? "backfill",
      "weir-attempts": String(record.ticket?.attempt ?? 0),
      "weir-sha256": sha256(record.bytes),
      "weir-bytes": String(record.bytes.byteLength),
      "weir-failed-at": timestamp(this.#deps.clock.now()),
    } satisfies DeadLetterHeaders;
    return {
      topic: this.#deps.deadLetters,
      key: verdict.verdict_id,
      // The headers name the source and the hash of the whole record.
      value: record.bytes.subarray(0, this.#deps.maxRecordBytes),
      headers: { ...record.headers, ...headers },
    };
  }
}

/** The topic of a reply is of no use to readers of a verdict. */
function headersOf(verdict: Verdict, { headers = {} }: InputRecord): RecordHeaders {
  const { [REPLY_TOPIC_HEADER]: _, ...passed } = headers;
  return {
    ...passed,
    "weir-verdict-id": verdict.verdict_id,
    "weir-revision": String(verdict.revision),
    "weir-decision": verdict.decision,
    ...(verdict.unanswered === true ? { "weir-unanswered": "true" } : {}),
  };
}

const known: ReadonlySet<string> = new Set(failureCodes);

/**
 * The distinct failure codes. A service may forge codes of any length: `ANSWER_INVALID` stands for all unknown codes.
 */
function codesOf(failures: readonly { readonly code: string }[]): ReadonlySet<string> {
  return new Set(failures.map(({ code }) => (known.has(code) ? code : ("ANSWER_INVALID" satisfies FailureCode))));
}
