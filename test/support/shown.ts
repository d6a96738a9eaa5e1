import { inspect } from "node:util";
import { pinoLog } from "../../src/adapters/logging/pino-log.ts";
import { toError } from "../../src/kernel/errors.ts";

/** Everything that anybody could see of what was thrown: printed whole, serialized, and as our log writes it. */
export function shown(thrown: unknown): string {
  const lines: string[] = [];
  pinoLog("debug", { write: (line: string) => void lines.push(line) }).error("failed", { error: thrown });
  const { message, stack = "" } = toError(thrown);
  return [inspect(thrown, { depth: 12, showHidden: true }), JSON.stringify(thrown), message, stack, ...lines].join(
    "\n",
  );
}

/** What each of these was rejected with, in their order; undefined for those that were not. */
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
