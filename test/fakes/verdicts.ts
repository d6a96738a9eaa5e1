import { sha256 } from "../../src/kernel/hash.ts";
import type { Verdict } from "../../src/messages/verdict.ts";

/** A verdict on the record on `line` of events.ndjson, or on a record of another source. */
export function verdictAt(line: number, source: Verdict["source"] = { file: "events.ndjson", line }): Verdict {
  return {
    schema: "weir.verdict/1",
    verdict_id: sha256(String(line)),
    revision: 0,
    event_id: `events.ndjson/${line}`,
    tenant: "",
    decision: "ALLOW",
    reasons: [{ check: "poisoning", finding: "no_signal", severity: "INFO", detail: "é" }],
    subject: { type: "unreadable", record_sha256: "00" },
    required_checks: [],
    checks: [],
    policy: { id: "default", sha256: "00" },
    source,
    decided_at: "2026-01-01T00:00:00.000Z",
    software: "weir/test",
  };
}

/** A verdict with a missing answer of the service. */
export function unanswered(line: number, revision = 0): Verdict {
  return {
    ...verdictAt(line),
    revision,
    decision: "UNKNOWN",
    checks: [
      {
        check: "poisoning",
        outcome: "failed",
        cached: false,
        attempts: 5,
        error: { code: "SERVICE_UNAVAILABLE", detail: "503" },
      },
    ],
  };
}
