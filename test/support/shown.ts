import { inspect } from "node:util";
import { pinoLog } from "../../src/adapters/logging/pino-log.ts";
import { toError } from "../../src/kernel/errors.ts";

/** All visible forms of an error: printed whole, serialized, and as Weir's log writes it. */
export function shown(thrown: unknown): string {
  const lines: string[] = [];
  pinoLog("debug", { write: (line: string) => void lines.push(line) }).error("failed", { error: thrown });
  const { message, stack = "" } = toError(thrown);
  return [inspect(thrown, { depth: 12, showHidden: true }), JSON.stringify(thrown), message, stack, ...lines].join(
    "\n",
  );
}

/** The rejections of these promises, in their order; undefined for the others. */
export async function rejections(asked: readonly Promise<unknown>[]): Promise<readonly unknown[]> {
  return Promise.all(
    asked.map((each) =>
      each.then(
        () => undefined,
        (thrown: unknown) => thrown,
      ),
    ),
  );
}
