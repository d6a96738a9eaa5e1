import { variableAreas } from "./docs/variable-areas.ts";

/** The title of a setting's area. @throws {Error} for a name without an area. */
export function settingArea(name: string): string {
  const area = variableAreas.find(({ names }) => names.test(name))?.title;
  if (area === undefined) throw new Error(`${name} has no area: add one in variable-areas.ts`);
  return area;
}

/** Settings by area, in the order of the areas. An area without settings is left out. */
export function byArea<T>(
  settings: readonly T[],
  nameOf: (setting: T) => string,
): readonly (readonly [title: string, settings: readonly T[]])[] {
  return variableAreas
    .map(({ title }) => [title, settings.filter((each) => settingArea(nameOf(each)) === title)] as const)
    .filter(([, own]) => own.length > 0);
}
