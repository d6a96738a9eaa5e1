import { LabelFiles } from "../../adapters/files/labels/label-files.ts";
import { bundled } from "../program/package-root.ts";

interface LabelsConfig {
  readonly BUNDLED_LABELS: boolean;
  readonly LABELS_FILES: readonly string[];
}

/**
 * The label files of a service, in order of precedence: the bundled ones, unless they are disabled, then the
 * operator's.
 */
export function labelPaths(config: LabelsConfig): readonly string[] {
  return [...(config.BUNDLED_LABELS ? bundled.labels : []), ...config.LABELS_FILES];
}

/**
 * The label files of a service as a source. The bundled files list most contracts on one chain only, so their addresses
 * are no imitations on other chains (decision 0012).
 */
export function labelFiles(config: LabelsConfig): LabelFiles {
  return new LabelFiles(labelPaths(config), bundled.labels);
}

/**
 * The labels of a running service: all label files, and the rows of `LISTS_FILES` that accuse. An allow list excuses no
 * address in the service.
 */
export function servedLabelFiles(config: LabelsConfig & { readonly LISTS_FILES: readonly string[] }): LabelFiles {
  const paths = labelPaths(config);
  const lists = [...new Set(config.LISTS_FILES)].filter((file) => !paths.includes(file));
  return new LabelFiles(paths, bundled.labels, lists);
}
