import { editDistance } from "../../api/requests/edit-distance.ts";
import { shortName } from "../../api/requests/short-name.ts";

/** Prefixes of variables that are probably meant for Weir. LOG_ and TOKEN_ are too common. */
const prefixes = [
  ...["SERVICE_", "KAFKA_", "TOPIC_", "TOPICS_", "S3_", "EVM_", "SOLANA_", "TRON_", "ARCHIVE_", "LABELS_"],
  ...["ANSWER_CACHE_", "LANE_", "SCHEMA_REGISTRY_"],
];

/**
 * Names of other programs. Tools have their own settings, an orchestrator sets the address of each service, and Kafka's
 * scripts and images have variables. SSL_CERT_FILE is OpenSSL's, although it is close to the end of a Weir variable.
 * Source: Kubernetes, "Service environment variables"; kafka-run-class.sh.
 */
const others = [
  /^(AWS|SSL|SSH|CURL|REQUESTS|GIT|DOCKER|KUBERNETES|NODE|NPM|JAVA|PYTHON|PIP|GPG|NIX|XDG|LC)_/i,
  /_SERVICE_(HOST|PORT)(_|$)/,
  /_PORT(_\d+_(TCP|UDP).*)?$/,
  /^KAFKA_(HOME|OPTS|DEBUG|VERSION|HEAP_OPTS|GC_LOG_OPTS|CLUSTERS.*|(JVM|JMX|LOG4J)_.*)$/,
];

/** Shorter names are one typing error away from too many words. */
const MIN_LENGTH = 6;
/** Shortest end of a Weir variable that counts as a misspelling: RATE_LIMIT. API_KEY is too common. */
const MIN_TAIL = 10;

/**
 * Warnings about variables that no command reads and that resemble Weir's variables. `SERVICE_URLL` would be ignored
 * silently, and the run would use its own service. They are warnings and not errors, since other programs share the
 * environment.
 *
 * @param known all names that are read.
 */
export function unknownVariables(names: readonly string[], known: readonly string[]): readonly string[] {
  const ours = new Set(known);
  return names.flatMap((name) => {
    if (ours.has(name) || others.some((pattern) => pattern.test(name))) return [];
    const meant = nearestVariable(name, known);
    if (meant === undefined && !prefixes.some((prefix) => name.startsWith(prefix))) return [];
    return [`${shortName(name)} is no variable that Weir reads: ${hintFor(meant)}`];
  });
}

/** The part of a message that says what to do about an unknown name. @param meant the variable that is probably meant. */
export function hintFor(meant: string | undefined): string {
  return meant === undefined ? 'run "weir config schema" for all names' : `did you mean ${meant}?`;
}

/** The variable that a name probably misspells. */
export function nearestVariable(name: string, known: readonly string[]): string | undefined {
  return nearest(name.toUpperCase(), known.flatMap(readingsOf));
}

/** A possible misspelling of a name: of the whole name, or of its end. */
interface Reading {
  readonly meant: string;
  readonly text: string;
}

function nearest(name: string, readings: readonly Reading[]): string | undefined {
  if (name.length < MIN_LENGTH) return undefined;
  let near: { readonly meant: string; readonly slips: number } | undefined;
  for (const { meant, text } of readings) {
    const slips = slipsBetween(name, text);
    if (slips < (near?.slips ?? Number.POSITIVE_INFINITY)) near = { meant, slips };
  }
  return near?.meant;
}

function readingsOf(meant: string): readonly Reading[] {
  const tail = meant.slice(meant.indexOf("_") + 1);
  const texts = tail.length < MIN_TAIL || !tail.includes("_") ? [meant] : [meant, tail];
  return texts.map((text) => ({ meant, text }));
}

function slipsBetween(name: string, meant: string): number {
  const limit = Math.min(name.length, meant.length) < 9 ? 1 : 2;
  const slips = editDistance(name, meant, limit);
  return slips > limit ? Number.POSITIVE_INFINITY : slips;
}
