import { stat } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Adapter, type AdapterContext, readAdapter } from "../../adapters/service-adapter/adapter.ts";
import { AdapterTranslation } from "../../adapters/service-adapter/translation.ts";
import { systemClock } from "../../kernel/clock.ts";
import { ConfigInvalidError, toError } from "../../kernel/errors.ts";

/** Name of the function that an adapter's module exports. */
const EXPORT = "adapter";

/** The adapter that SERVICE_ADAPTER names. @throws {ConfigInvalidError} */
export async function openAdapter(file: string, baseUrl: string): Promise<AdapterTranslation> {
  const adapter = await loadAdapter(file, baseUrl, "SERVICE_ADAPTER: ");
  return new AdapterTranslation(adapter, baseUrl, systemClock);
}

/**
 * Runs the module in `file`, an absolute path or one from the working directory.
 *
 * @param setting in front of a message, where a variable named the file.
 * @throws {ConfigInvalidError} naming the file and its fault.
 */
export async function loadAdapter(file: string, baseUrl: string, setting = ""): Promise<Adapter> {
  const absolute = path.resolve(file);
  const refused = (detail: string) => new ConfigInvalidError(`${setting}${file}: ${detail}`);
  if (!(await isFile(absolute))) throw refused(`there is no such file (${absolute}): name a file, not a package`);
  const module = await imported(absolute, refused);
  const factory = module[EXPORT];
  if (typeof factory !== "function") {
    const given = Object.keys(module).join(", ");
    throw refused(`must export a function ${EXPORT}; exports ${given === "" ? "nothing" : given}`);
  }
  const given: AdapterContext = { baseUrl, now: () => systemClock.now() };
  const read = readAdapter(madeBy(factory as (given: AdapterContext) => unknown, given, refused));
  if (!read.ok) throw refused(read.detail);
  return read.value;
}

type Refused = (detail: string) => ConfigInvalidError;

async function imported(absolute: string, refused: Refused): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(pathToFileURL(absolute).href);
  } catch (thrown) {
    throw refused(`cannot be loaded: ${firstLine(thrown)}: correct the module`);
  }
}

function madeBy(factory: (context: AdapterContext) => unknown, context: AdapterContext, refused: Refused): unknown {
  let made: unknown;
  try {
    made = factory(context);
  } catch (thrown) {
    throw refused(`the function ${EXPORT} threw: ${firstLine(thrown)}: correct the module`);
  }
  if (!(made instanceof Promise)) return made;
  // The failure is reported here, and not by an unhandled rejection.
  made.catch(() => undefined);
  throw refused(`the function ${EXPORT} must not be async`);
}

async function isFile(absolute: string): Promise<boolean> {
  try {
    return (await stat(absolute)).isFile();
  } catch {
    // Whatever the reason, the module cannot be loaded.
    return false;
  }
}

function firstLine(thrown: unknown): string {
  return toError(thrown).message.split("\n", 1)[0] ?? "";
}
