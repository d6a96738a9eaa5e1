import { expect, test } from "vitest";
import { LineBuffer } from "../../../../src/adapters/files/line-buffer.ts";

test("lines stand behind one another as UTF-8, however large, and nothing of them once they are cleared", () => {
  const buffer = new LineBuffer();
  const large = "é€😀".repeat(1 << 18);
  for (const lines of [[], ["a", "", "b€"], ["x".repeat(65_535)], ["x".repeat(65_536), "y"], [large, "z"], ["c"]]) {
    for (const line of lines) buffer.add(line);

    expect(buffer.bytes.equals(Buffer.from(lines.map((line) => `${line}\n`).join("")))).toBe(true);
    buffer.clear();
    expect(buffer.bytes).toHaveLength(0);
  }
});
