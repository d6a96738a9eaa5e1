/** The kind of value in a field of the log. A value of another kind is left out. */
export type LoggedKind = "text" | "number" | "flag" | "text or number" | "texts" | "error";

/**
 * Every field that may be logged, also from the context of an error. Any other field is left out of the log. A whole
 * configuration, a request or an event would bring keys and addresses into the log. A test searches the tree for fields
 * that are logged and missing here.
 */
export const loggedFields: ReadonlyMap<string, LoggedKind> = new Map<string, LoggedKind>([
  ["accounts", "number"],
  ["archived", "number"],
  ["attempt", "number"],
  ["attempts", "number"],
  ["bucket", "text"],
  ["believed", "number"],
  ["chain", "text or number"],
  ["chains", "number"],
  ["code", "text"],
  ["commitment", "text"],
  ["count", "number"],
  ["date", "text"],
  ["days", "number"],
  ["detail", "text"],
  ["end", "number"],
  ["endpoint", "text"],
  ["endpoints", "number"],
  ["engine", "text"],
  ["entries", "number"],
  ["error", "error"],
  ["events", "number"],
  ["extra", "number"],
  ["file", "text"],
  ["from", "number"],
  ["given", "number"],
  ["group", "text"],
  ["header", "text"],
  ["host", "text"],
  ["hosts", "texts"],
  ["isAnother", "flag"],
  ["isTooLarge", "flag"],
  ["items", "number"],
  // The name of an object in the archive.
  ["key", "text"],
  // The number of keys that the service has, never a key itself.
  ["keys", "number"],
  ["labels", "number"],
  ["line", "number"],
  ["list", "text"],
  ["lists", "text"],
  ["maxWaitMs", "number"],
  ["mayBeLoad", "flag"],
  ["member", "text"],
  ["name", "text"],
  // Ids of topics.
  ["newId", "text"],
  ["nodes", "number"],
  ["offset", "text or number"],
  ["oldId", "text"],
  ["operation", "text"],
  ["ours", "text"],
  ["part", "text"],
  ["partition", "number"],
  ["path", "text"],
  ["place", "number"],
  // The limit of a key, in the form of SERVICE_RATE_LIMIT.
  ["rateLimit", "text"],
  ["reason", "text"],
  ["refused", "number"],
  // The request id that a store's support needs.
  ["requestId", "text"],
  ["requestsPerSecond", "number"],
  ["restMs", "number"],
  ["retryAfterMs", "number"],
  ["sha256", "text"],
  ["software", "text"],
  ["status", "number"],
  ["theirs", "text"],
  ["timeout", "flag"],
  ["topic", "text"],
  // Names of columns.
  ["unread", "texts"],
  ["until", "number"],
  ["url", "text"],
  ["verdicts", "number"],
  ["waitMs", "number"],
  ["what", "text"],
  // Fields of kafkajs's own log lines.
  ["broker", "text"],
  ["clientId", "text"],
  ["correlationId", "number"],
  ["groupId", "text"],
  ["groupProtocol", "text"],
  ["isLeader", "flag"],
  ["leaderId", "text or number"],
  ["memberId", "text"],
  ["retryCount", "number"],
  ["retryTime", "number"],
]);

/** Whether the value is of this kind. An error is an `Error` or its text. */
export function isOfKind(value: unknown, kind: LoggedKind): boolean {
  switch (kind) {
    case "text":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "flag":
      return typeof value === "boolean";
    case "text or number":
      return typeof value === "string" || typeof value === "number";
    case "texts":
      return Array.isArray(value) && value.every((each) => typeof each === "string");
    case "error":
      return typeof value === "string" || value instanceof Error;
  }
}
