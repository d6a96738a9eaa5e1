import { unixMs } from "../../kernel/clock.ts";
import type { Verdict } from "../../messages/verdict.ts";

/** Types of columns, as Parquet names them. A timestamp is in Unix milliseconds. */
export type ColumnType = "STRING" | "INT32" | "INT64" | "BOOLEAN" | "TIMESTAMP";

export interface VerdictColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Whether the column holds data of the customer that `--redact` leaves out. */
  readonly isPersonal?: true;
  readonly description: string;
  /** Undefined where the verdict has no such value. */
  readonly read: (verdict: Verdict) => string | number | bigint | boolean | undefined;
}

const jsonOf = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value));
const sourceOf = (verdict: Verdict) => verdict.source as Partial<Record<string, string | number>>;
const textOf = (value: string | number | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

/** Raised when a column changes its meaning. A new column at the end does not raise it. */
export const COLUMNS_VERSION = 1;

/** The flat form of a verdict, one column a row of this table. Lists and evidence are texts of JSON. */
export const verdictColumns: readonly VerdictColumn[] = [
  text("verdict_id", "Id of the verdict, equal in all revisions.", (verdict) => verdict.verdict_id),
  { ...text("event_id", "Id of the event.", (verdict) => verdict.event_id), isPersonal: true },
  text("tenant", "Tenant of the event. Empty for none.", (verdict) => verdict.tenant),
  {
    name: "revision",
    type: "INT32",
    description: "Revision of the verdict, from 0. The highest revision counts.",
    read: ({ revision }) => revision,
  },
  text("decision", "ALLOW, WARN, UNKNOWN or BLOCK.", (verdict) => verdict.decision),
  {
    name: "unanswered",
    type: "BOOLEAN",
    description: "True for an UNKNOWN verdict that lacks an answer of the service.",
    read: ({ unanswered }) => unanswered === true,
  },
  {
    name: "decided_at",
    type: "TIMESTAMP",
    description: "Time of the decision, UTC, with milliseconds.",
    read: ({ decided_at }) => {
      const ms = unixMs(decided_at);
      return Number.isFinite(ms) ? ms : undefined;
    },
  },
  text("finding", "The first finding with the severity of the decision, as `check finding`.", firstFinding),
  text("findings", "JSON list of all findings that are more than a note, as `check finding`.", (verdict) =>
    jsonOf(findingsIn(verdict)),
  ),
  text("subject_type", "address, transaction or unreadable.", ({ subject }) => subject.type),
  text("chain_id", "Id of the chain.", ({ subject }) => (subject.type === "unreadable" ? undefined : subject.chain_id)),
  text("address", "Address of the event, or the address that gains by the transaction.", ({ subject }) =>
    subject.type === "unreadable" ? undefined : subject.address,
  ),
  text("token_address", "Contract of the token.", ({ subject }) =>
    subject.type === "unreadable" ? undefined : subject.token_address,
  ),
  text("content_sha256", "Hash of the transaction, or of the unreadable record.", ({ subject }) =>
    subject.type === "transaction"
      ? subject.transaction_sha256
      : subject.type === "unreadable"
        ? subject.record_sha256
        : undefined,
  ),
  {
    ...text("user_addresses", "JSON list of the addresses that the user knows.", ({ subject }) =>
      subject.type === "unreadable" ? undefined : jsonOf(subject.user_addresses),
    ),
    isPersonal: true,
  },
  text("required_checks", "JSON list of the required checks.", (verdict) => jsonOf(verdict.required_checks)),
  {
    ...text("reasons", "JSON list of the reasons, as in the verdict.", (verdict) => jsonOf(verdict.reasons)),
    isPersonal: true,
  },
  {
    ...text("checks", "JSON list of the checks with their evidence, as in the verdict.", (verdict) =>
      jsonOf(verdict.checks),
    ),
    isPersonal: true,
  },
  text("policy_id", "Table of the policy that decided.", ({ policy }) => policy.id),
  text("policy_sha256", "Hash of that table.", ({ policy }) => policy.sha256),
  text("lists", "Id of the set of lists.", (verdict) => verdict.lists),
  text("source_file", "File of the event.", (verdict) => textOf(sourceOf(verdict)["file"])),
  {
    name: "source_line",
    type: "INT64",
    description: "Line of the event in its file, from 1.",
    read: (verdict) => integerOf(sourceOf(verdict)["line"]),
  },
  text("source_topic", "Topic of the event.", (verdict) => textOf(sourceOf(verdict)["topic"])),
  {
    name: "source_partition",
    type: "INT32",
    description: "Partition of the event.",
    read: (verdict) => sourceOf(verdict)["partition"],
  },
  {
    name: "source_offset",
    type: "INT64",
    description: "Offset of the event.",
    read: (verdict) => integerOf(sourceOf(verdict)["offset"]),
  },
  { ...text("ref", "JSON of the event's `ref`.", (verdict) => jsonOf(verdict.ref)), isPersonal: true },
  text("software", "Name and version of the deciding software.", (verdict) => verdict.software),
];

function text(name: string, description: string, read: VerdictColumn["read"]): VerdictColumn {
  return { name, type: "STRING", description, read };
}

function firstFinding({ decision, reasons }: Verdict): string | undefined {
  const reason = reasons.find(({ severity }) => severity === decision);
  return reason === undefined ? undefined : `${reason.check} ${reason.finding}`;
}

function findingsIn({ reasons }: Verdict): readonly string[] {
  const told = reasons.filter(({ severity }) => severity !== "INFO");
  return [...new Set(told.map(({ check, finding }) => `${check} ${finding}`))];
}

/** Offsets of Kafka have up to 63 bits. Undefined for text that is no such number. */
function integerOf(value: string | number | undefined): bigint | undefined {
  return /^\d{1,18}$/.test(String(value)) ? BigInt(value ?? 0) : undefined;
}
