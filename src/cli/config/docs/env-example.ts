import { envRows } from "./env-table.ts";

/** Values for variables without a default that a worker with an archive requires. */
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
    { readonly descriptions: Set<string>; readonly readersBy: Map<string, Set<string>>; value: string }
  >();
  for (const { name, fallback, description, readers } of envRows()) {
    const known = byName.get(name) ?? { descriptions: new Set(), readersBy: new Map(), value: fallback };
    known.descriptions.add(description);
    known.readersBy.set(fallback, new Set([...(known.readersBy.get(fallback) ?? []), ...readers]));
    byName.set(name, known);
  }
  const entries = Array.from(byName, ([name, { descriptions, readersBy, value }]) => {
    const told = [...descriptions].map((description) => `# ${description.replaceAll("`", "")}`);
    const given = needed[name];
    const line = given === undefined ? `#${name}=${value}` : `${name}=${given}`;
    return [...told, `# (${readersOf(readersBy)})`, line].join("\n");
  });
  return `${HEAD.join("\n")}\n\n${entries.join("\n\n")}\n`;
}

/** The commands that read a variable, each with its default where the defaults differ. */
function readersOf(readersBy: ReadonlyMap<string, ReadonlySet<string>>): string {
  const told = Array.from(readersBy, ([fallback, readers]) => {
    const names = [...readers].join(", ");
    return readersBy.size === 1 ? names : `${names}: ${fallback === "" ? "none" : fallback}`;
  });
  return told.join("; ");
}
