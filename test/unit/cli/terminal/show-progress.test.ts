import { expect, test, vi } from "vitest";
import { clearProgress, showProgress } from "../../../../src/cli/terminal/show-progress.ts";

const line = "500/1000 events (50 %) · 50/s · 520 requests · 10 s left";

function shown(stream: { isTTY: boolean; columns?: number }, ms: number, isQuiet = false): readonly string[] {
  vi.useFakeTimers();
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  const end = showProgress({ ...stream, write } as unknown as NodeJS.WriteStream, () => line, isQuiet);
  vi.advanceTimersByTime(ms);
  end();
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  return written;
}

test("on a terminal, one line is rewritten, and cleared at the end", () => {
  expect(shown({ isTTY: true }, 200)).toEqual([`\r\u001b[K${line}`, `\r\u001b[K${line}`, "\r\u001b[K"]);
});

test("on a narrow terminal, the line is cut to the width, so it never wraps", () => {
  expect(shown({ isTTY: true, columns: 40 }, 100)[0]).toBe("\r\u001b[K500/1000 events (50 %) · 10 s left");
});

test("elsewhere, a plain line comes every few seconds", () => {
  expect(shown({ isTTY: false }, 4_999)).toEqual([]);
  expect(shown({ isTTY: false }, 10_000)).toEqual([`${line}\n`, `${line}\n`]);
});

test("elsewhere, a long run does not flood a log", () => {
  const hour = shown({ isTTY: false }, 3_600_000).length;
  const day = shown({ isTTY: false }, 86_400_000).length;

  expect(hour).toBeGreaterThan(60);
  expect(day).toBeLessThan(200);
});

test("a quiet run shows nothing", () => {
  expect(shown({ isTTY: true }, 10_000, true)).toEqual([]);
});

test("a text beside the progress first clears the line, on a terminal only", () => {
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  for (const isTTY of [true, false]) clearProgress({ isTTY, write } as unknown as NodeJS.WriteStream);

  expect(written).toEqual(["\r\u001b[K"]);
});
