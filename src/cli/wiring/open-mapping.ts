import { ConfigInvalidError } from "../../kernel/errors.ts";
import { type JsonMapping, mapJson } from "../../messages/mapping/map-json.ts";
import { bundled } from "../program/package-root.ts";

/**
 * The mapping of EVENT_MAP: the name of a preset, or the path of a file. Undefined without the setting.
 *
 * @throws {ConfigInvalidError} for a mapping that records of a topic cannot go through.
 */
export async function openMapping(setting: string | undefined): Promise<JsonMapping | undefined> {
  if (setting === undefined) return undefined;
  const { presetNames, readMapping, readPreset } = await import("../../adapters/files/mapping/mapping-file.ts");
  const isPreset = (await presetNames(bundled.mappings)).includes(setting);
  const { name, mapping } = await (isPreset ? readPreset(bundled.mappings, setting) : readMapping(setting));
  const json = mapJson(mapping, undefined);
  if (json.hasEnds && !json.hasDirection) {
    throw new ConfigInvalidError(
      `EVENT_MAP: the mapping ${name} has both ends of each payment and no direction: add transfer.direction, or map address`,
    );
  }
  return json;
}
