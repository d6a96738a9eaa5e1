import readSheets from "read-excel-file/node";
import { expect, test } from "vitest";
import { Workbook } from "../../../../src/adapters/xlsx/workbook.ts";

/** The sheets of a workbook as an outside reader reads them. */
async function sheetsOf(write: (workbook: Workbook) => Promise<void>, mostRows?: number) {
  const parts: Uint8Array[] = [];
  const workbook = new Workbook((bytes) => {
    parts.push(bytes);
    return undefined;
  }, mostRows);
  await write(workbook);
  await workbook.close();
  return readSheets(Buffer.concat(parts), { trim: false });
}

test("an outside reader finds the sheets, their texts and their numbers", async () => {
  const sheets = await sheetsOf(async (workbook) => {
    await workbook.begin("First & second", ["a", "b"]);
    await workbook.add(["x", 5]);
    await workbook.add(["", '<y> & "z"']);
    await workbook.begin("Third", ["c"]);
  });

  expect(sheets).toEqual([
    {
      sheet: "First & second",
      data: [
        ["a", "b"],
        ["x", 5],
        [null, '<y> & "z"'],
      ],
    },
    { sheet: "Third", data: [["c"]] },
  ]);
});

test.each(["=1+1", "+1", "@SUM(A1)", "-1", " leading", "a\u0000b", "_x0041_", "é\u{1F600}", "\ud800"])(
  "the text %j stays a text",
  async (text) => {
    const [sheet] = await sheetsOf(async (workbook) => {
      await workbook.begin("s", [text]);
    });
    const read = String(sheet?.data[0]?.[0]);

    // The reader keeps the escape that Excel removes.
    expect(read.replace("_x005F_", "_")).toBe(text.replace("\u0000", "\uFFFD").toWellFormed());
  },
);

test("a full sheet goes on in the next one with the same header", async () => {
  const sheets = await sheetsOf(async (workbook) => {
    await workbook.begin("Rows", ["n"]);
    for (let n = 1; n <= 5; n++) await workbook.add([n]);
  }, 2);

  expect(sheets).toEqual([
    { sheet: "Rows", data: [["n"], [1], [2]] },
    { sheet: "Rows 2", data: [["n"], [3], [4]] },
    { sheet: "Rows 3", data: [["n"], [5]] },
  ]);
});

test("many rows are packed in parts", async () => {
  const text = "x".repeat(200);
  const [sheet] = await sheetsOf(async (workbook) => {
    await workbook.begin("Rows", ["n"]);
    for (let n = 0; n < 2_000; n++) await workbook.add([`${n}${text}`]);
  });

  expect(sheet?.data).toHaveLength(2_001);
  expect(sheet?.data.at(-1)).toEqual([`1999${text}`]);
});
