import type { Mapping, MappingPart } from "./mapping-schema.ts";

/**
 * The form of a mapping that fits a file or a record: the first variant with all its sources. Undefined when none fits.
 *
 * @param has whether the file or the record has a source.
 */
export function partFor(mapping: Mapping, has: (source: string) => boolean): MappingPart | undefined {
  if (mapping.variants === undefined) return mapping;
  const variant = mapping.variants.find(({ when }) => when.every(has));
  if (variant === undefined) return undefined;
  const ignore = [...(mapping.ignore ?? []), ...(variant.ignore ?? [])];
  return { ...variant, ignore };
}

/** All parts of a mapping. */
export function partsOf(mapping: Mapping): readonly MappingPart[] {
  return mapping.variants ?? [mapping];
}
