import { envRows } from "./env-table.ts";

/** What a worker with an archive has no default for: it does not start without. */
const needed: Readonly<Record<string, string>> = {
  KAFKA_BROKERS: "kafka-0:9093,kafka-1:9093",
  SERVICE_URL: "https://security.example.com",
  SERVICE_API_KEY_FILE: "/var/run/weir/service-api-key",
  S3_BUCKET: "weir-archive",
};

const HEAD = [
  "# Every variable that Weir reads, with its default; printed by `npm run docs` from the schemas that read them. What is",
  "# not a comment has no default, and a worker with an archive needs it. Secrets belong into files: give their names.",
];

/** The example of an environment file, for `docker run --env-file` and for systemd. */
export function envExample(): string {
  const byName = new Map<
    string,
    { readonly descriptions: Set<string>; readonly readers: Set<string>; value: string }
  >();
  for (const { name, fallback, description, readers } of envRows()) {
    const known = byName.get(name) ?? { descriptions: new Set(), readers: new Set(), value: fallback };
    known.descriptions.add(description);
    for (const reader of readers) known.readers.add(reader);
    byName.set(name, known);
  }
  const entries = Array.from(byName, ([name, { descriptions, readers, value }]) => {
    const told = [...descriptions].map((description) => `# ${description.replaceAll("`", "")}`);
    const given = needed[name];
    const line = given === undefined ? `#${name}=${value}` : `${name}=${given}`;
    return [...told, `# (${[...readers].join(", ")})`, line].join("\n");
  });
  return `${HEAD.join("\n")}\n\n${entries.join("\n\n")}\n`;
}
