const optional = (name: string, type: unknown, doc?: string) => ({
  name,
  type: ["null", type],
  default: null,
  ...(doc === undefined ? {} : { doc }),
});
const text = (name: string, doc?: string) => ({ name, type: "string", ...(doc === undefined ? {} : { doc }) });
const texts = { type: "array", items: "string" };
const record = (name: string, fields: readonly object[]) => ({ type: "record", name, fields });

/**
 * The Avro schema of verdicts. A later field has a default, so that readers with the later schema read earlier
 * verdicts (BACKWARD). Names of findings and checks are texts, since a later version has more of them.
 */
export const verdictAvroSchema = {
  type: "record",
  name: "Verdict",
  namespace: "weir",
  doc: "A verdict of Weir, as docs/schemas/verdict.schema.json describes it. Parts of any form are JSON texts.",
  fields: [
    text("schema"),
    text("verdict_id", "SHA-256 over tenant, event id and canonical event."),
    { name: "revision", type: "long" },
    text("event_id"),
    text("tenant"),
    text("decision", "ALLOW, WARN, BLOCK or UNKNOWN."),
    {
      name: "unanswered",
      type: "boolean",
      default: false,
      doc: "True for an UNKNOWN verdict that lacks an answer of the service.",
    },
    {
      name: "reasons",
      type: {
        type: "array",
        items: record("Reason", [
          text("check"),
          text("finding"),
          text("severity"),
          text("detail"),
          optional("resembles", "string", "Address that the subject imitates."),
        ]),
      },
    },
    {
      name: "subject",
      type: record("Subject", [
        text("type", "address, transaction or unreadable."),
        optional("chain_id", "string"),
        optional("address", "string"),
        optional("transaction_sha256", "string"),
        optional("user_addresses", texts),
        optional("token_address", "string"),
        optional("record_sha256", "string"),
      ]),
    },
    { name: "required_checks", type: texts },
    {
      name: "checks",
      type: {
        type: "array",
        items: record("Check", [
          text("check"),
          text("outcome"),
          optional("requested_at", "string"),
          optional("answered_at", "string"),
          { name: "cached", type: "boolean" },
          { name: "attempts", type: "long" },
          optional("data", "string", "The evidence as JSON."),
          optional("reduced", record("Reduced", [{ name: "bytes", type: "long" }, text("sha256")])),
          optional("error", record("CheckError", [text("code"), text("detail")])),
        ]),
      },
    },
    { name: "policy", type: record("Policy", [text("id"), text("sha256")]) },
    optional("lists", "string"),
    {
      name: "source",
      type: record("Source", [
        optional("file", "string"),
        optional("line", "long"),
        optional("topic", "string"),
        optional("partition", "long"),
        optional("offset", "string"),
      ]),
    },
    optional("ref", "string", "Data of the producer as JSON."),
    text("decided_at"),
    text("software"),
    optional("reduced", texts),
  ],
} as const;
