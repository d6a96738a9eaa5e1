import { presetNames, presetText, readPreset } from "../../adapters/files/mapping/mapping-file.ts";
import { bundled } from "../program/package-root.ts";

/** `weir map list`: the bundled mappings. */
export async function listPresets(): Promise<0> {
  const names = await presetNames(bundled.mappings);
  const width = Math.max(...names.map((name) => name.length)) + 2;
  for (const name of names) {
    const { title = "", about = "" } = (await readPreset(bundled.mappings, name)).mapping;
    process.stdout.write(`${name.padEnd(width)}${title}\n${"".padEnd(width)}${about}\n`);
  }
  return 0;
}

/** `weir map show PRESET`: a bundled mapping as it ships, to copy and change. @throws {ConfigInvalidError} */
export async function showPreset(name: string): Promise<0> {
  process.stdout.write(await presetText(bundled.mappings, name));
  return 0;
}
