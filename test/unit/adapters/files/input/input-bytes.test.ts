import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { inputBytes, isPacked, nameOf } from "../../../../../src/adapters/files/input/input-bytes.ts";
import { InputUnreadableError } from "../../../../../src/kernel/errors.ts";
import { emptyFolder } from "../../../../support/folder.ts";

const long = "0123456789abcdef".repeat(100_000);

async function fileOf(content: string | Uint8Array, name = "input.txt"): Promise<string> {
  const file = path.join(await emptyFolder(), name);
  await writeFile(file, content);
  return file;
}

async function read(file: string): Promise<string> {
  return Buffer.concat(await Array.fromAsync(inputBytes(file))).toString();
}

describe("a file is read by its content, whatever its name is", () => {
  test.each(["", "a", "ab", "\u001f", long])("unpacked", async (content) => {
    expect(await read(await fileOf(content))).toBe(content);
    expect(await isPacked(await fileOf(content))).toBe(false);
  });

  test.each(["", "a", "ab", "\u001f", long])("packed", async (content) => {
    for (const name of ["input.txt", "input.gz", "input.ndjson"]) {
      const file = await fileOf(gzipSync(content), name);

      expect(await read(file)).toBe(content);
      expect(await isPacked(file)).toBe(true);
    }
  });
});

test.each(["a\r\nb\r\n", "a\rb\n", "\r\n", "a\r", `${"a".repeat(65_535)}\r\nb`, `${"a".repeat(65_536)}\rb\n`])(
  "a carriage return before an LF, or at the end, is not taken for an old Mac line end: %#",
  async (content) => {
    expect(await read(await fileOf(content))).toBe(content);
  },
);

test("a reader that stops early leaves no open file", async () => {
  for (const content of [long, gzipSync(long)]) {
    const chunks = inputBytes(await fileOf(content));

    expect((await chunks.next()).done).toBe(false);
    expect(await chunks.return(undefined)).toEqual({ done: true, value: undefined });
  }
});

/** The text that a process reads when it gets `chunks` on its standard input, one by one, or its message. */
async function readStdin(chunks: readonly Uint8Array[]): Promise<string> {
  const module = path.resolve(import.meta.dirname, "../../../../../src/adapters/files/input/input-bytes.ts");
  const script = `import { inputBytes } from ${JSON.stringify(module)};
    try { for await (const chunk of inputBytes("-")) process.stdout.write(chunk); }
    catch (error) { process.stdout.write(error.message); }`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  for (const chunk of chunks) await new Promise((done) => child.stdin.write(chunk, done));
  child.stdin.end();
  return text(child.stdout);
}

describe("standard input", () => {
  test("is read, and unpacked where needed, even when it arrives byte by byte", async () => {
    const packed = gzipSync("a\nb\n");

    expect(await readStdin([Buffer.from("a\nb\n")])).toBe("a\nb\n");
    expect(await readStdin([packed])).toBe("a\nb\n");
    expect(await readStdin([packed.subarray(0, 1), packed.subarray(1)])).toBe("a\nb\n");
  });

  test("may deliver CR and LF separately", async () => {
    expect(await readStdin(["a", "\r", "\n", "b"].map((text) => Buffer.from(text)))).toBe("a\r\nb");
  });

  test("is named standard input in messages", async () => {
    expect(nameOf("-")).toBe("standard input");
    expect(await readStdin([Buffer.from([0xff, 0xfe])])).toMatch(/^cannot read standard input: it is UTF-16: /);
  });
});

describe("unreadable input is reported with the remedy", () => {
  const messageOf = async (file: string) => {
    const reading = read(file);
    await expect(reading).rejects.toBeInstanceOf(InputUnreadableError);
    return reading.catch((error: Error) => error.message.replace(path.dirname(file), "DIR"));
  };

  test("an absent file", async () => {
    for (const name of ["absent.txt", "absent.gz"]) {
      expect(await messageOf(`/nowhere/${name}`)).toBe(
        `cannot read DIR/${name}: ENOENT: there is no such file: check its name and folder`,
      );
      expect(await isPacked(`/nowhere/${name}`)).toBe(false);
    }
  });

  test("a directory", async () => {
    const folder = await emptyFolder();

    expect(await messageOf(folder)).toMatch(/: EISDIR: it is a directory: name a file in it$/);
    expect(await isPacked(folder)).toBe(false);
  });

  test("a path through a file", async () => {
    const file = await fileOf("a");

    expect(await messageOf(`${file}/b`)).toMatch(/: ENOTDIR: not a directory, .*: see that it can be read$/);
  });

  test.each<[string, string, string | Uint8Array]>([
    ["its content is not gzip", "events.ndjson.gz", "{}\n"],
    ["its content is not gzip", "one-byte.gz", "\u001f"],
    ["it is empty", "empty.gz", ""],
  ])("%s, although the name says otherwise: %s", async (what, name, content) => {
    expect(await messageOf(await fileOf(content, name))).toBe(
      `cannot read DIR/${name}: its name says gzip, but ${what}: name it without .gz, or pack it again`,
    );
  });

  test.each([2, 9, 20, 1_000])("gzip that is truncated after %i bytes", async (size) => {
    const bytes = gzipSync(Array.from({ length: 5_000 }, (_, i) => `${i}`).join("\n")).subarray(0, size);

    expect(await messageOf(await fileOf(bytes))).toBe(
      "cannot read DIR/input.txt: Z_BUF_ERROR: its gzip data was cut off: get it again in full, or pack it again",
    );
  });

  test("gzip that is damaged", async () => {
    const bytes = gzipSync("a\n".repeat(1_000));
    bytes.fill(0xff, 12, 16);

    expect(await messageOf(await fileOf(bytes, "a.gz"))).toBe(
      "cannot read DIR/a.gz: Z_DATA_ERROR: its gzip data is damaged: get it again, or pack it again",
    );
  });

  const oldMac =
    "its lines end in CR alone, as on old Macs: convert them to LF, for example with tr '\\r' '\\n' < IN > OUT";

  test.each<[string, string | Uint8Array]>([
    ["two lines", "a\rb"],
    ["two ended lines", "a\rb\r"],
    ["blank lines", "\r\ra"],
    ["packed", gzipSync("a\rb\r")],
    ["more than is looked at", "a\r".repeat(40_000)],
    ["an LF beyond 64 KiB", `${"a\r".repeat(32_768)}\n`],
  ])("line ends of old Macs: %s", async (_name, content) => {
    expect(await messageOf(await fileOf(content))).toBe(`cannot read DIR/input.txt: ${oldMac}`);
  });

  test("line ends of old Macs on standard input, even when they arrive byte by byte", async () => {
    expect(await readStdin(["a", "\r", "b"].map((text) => Buffer.from(text)))).toBe(
      `a\rbcannot read standard input: ${oldMac}`,
    );
  });

  test.each<[string, Uint8Array]>([
    ["little-endian", Buffer.from("\uFEFF{}\n", "utf16le")],
    ["big-endian", Buffer.from("\uFEFF{}\n", "utf16le").swap16()],
    ["packed", gzipSync(Buffer.from("\uFEFF{}\n", "utf16le"))],
    ["without a byte order mark", Buffer.from('{"type":', "utf16le")],
    ["without one, big-endian", Buffer.from('{"type":', "utf16le").swap16()],
  ])("UTF-16, %s", async (_name, bytes) => {
    expect(await messageOf(await fileOf(bytes))).toBe(
      "cannot read DIR/input.txt: it is UTF-16: convert it to UTF-8, for example with iconv -f UTF-16 -t UTF-8 IN > OUT",
    );
  });

  const tar = Buffer.concat([Buffer.from("events.ndjson".padEnd(257, "\0")), Buffer.from("ustar\u000000")]);

  test.each<[string, Uint8Array, RegExp]>([
    [
      "a workbook",
      Buffer.from("504b030414000600080000", "hex"),
      /^it is an Excel workbook \(\.xlsx\) or a ZIP archive: export the sheet as CSV/,
    ],
    ["a packed workbook", gzipSync(Buffer.from("504b030414000600080000", "hex")), /^it is an Excel workbook/],
    ["an old workbook", Buffer.from("d0cf11e0a1b11ae10000", "hex"), /^it is an old Excel workbook \(\.xls\): export/],
    ["a PDF", Buffer.from("%PDF-1.7\n"), /^it is a PDF: /],
    ["gzip twice", gzipSync(gzipSync("a\n")), /^it is packed with gzip: unpack it, for example with gunzip/],
    ["zstd", Buffer.from("28b52ffd2401", "hex"), /^it is packed with zstd: .* zstd -dc/],
    ["xz", Buffer.from("fd377a585a0000", "hex"), /^it is packed with xz: .* xz -dc/],
    ["bzip2", Buffer.from("BZh91AY&SY"), /^it is packed with bzip2: .* bzip2 -dc/],
    ["lz4", Buffer.from("04224d1864", "hex"), /^it is packed with lz4: .* lz4 -dc/],
    ["a tar archive, packed", gzipSync(tar), /^it is a tar archive: unpack it/],
    ["a tar archive", tar, /^it is a tar archive: unpack it/],
    ["UTF-32", Buffer.from("fffe00007b000000", "hex"), /^it is UTF-32: convert it to UTF-8/],
    ["other binary data", Buffer.from([1, 0, 2, 0xff]), /^it is no text, but binary data: give NDJSON, CSV/],
  ])("%s", async (_name, bytes, what) => {
    expect((await messageOf(await fileOf(bytes))).replace("cannot read DIR/input.txt: ", "")).toMatch(what);
  });

  test.each(["PK and other words\n", "BZh is no wallet\n", "PAR1xxxxxxxx\n", "12345678\0\n", "Objection\n", "%PD\n"])(
    "text that only begins like another format is read: %j",
    async (content) => {
      const file = await fileOf(content);

      expect(await read(file)).toBe(content);
    },
  );
});
