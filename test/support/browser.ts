import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import chromium from "@sparticuz/chromium";
import puppeteer, { type Browser } from "puppeteer-core";

/**
 * A Chromium without a window. The package holds the browser of Linux on x64 and unpacks it (200 MB) into a folder that
 * later runs use again. On another system, CHROME_PATH names the browser.
 */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env["CHROME_PATH"] ?? (await unpackedBrowser());
  // The tests run as root in a container, where Chromium has no sandbox.
  return puppeteer.launch({ executablePath, headless: "shell", args: ["--no-sandbox", "--disable-gpu"] });
}

async function unpackedBrowser(): Promise<string> {
  const before = process.env["TMPDIR"];
  const folder = path.join(tmpdir(), "weir-chromium");
  await mkdir(folder, { recursive: true });
  // The package unpacks into the folder for temporary files, where its files would lie beside those of others.
  process.env["TMPDIR"] = folder;
  try {
    return await chromium.executablePath();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
}
