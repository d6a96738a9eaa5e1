import { LabelFiles } from "../../src/adapters/files/labels/label-files.ts";
import { bundled } from "../../src/cli/program/package-root.ts";
import { atOnce } from "../../src/kernel/async.ts";
import { AddressBook } from "../../src/labels/address-book.ts";
import type { AddressLabel } from "../../src/labels/label.ts";
import { LabelBook } from "../../src/service/labels/label-book.ts";
import type { SecurityService } from "../../src/worker/ports.ts";
import { listInfo } from "./address-book.ts";
import { tableOf } from "./book-of.ts";
import { inProcessService } from "./in-process-service.ts";

/** The bundled labels and one list of an operator, as the worker and the service load them. */
export async function bundledLists(
  ...own: readonly AddressLabel[]
): Promise<{ readonly book: AddressBook; readonly service: SecurityService }> {
  const files = await new LabelFiles(bundled.labels, bundled.labels).load();
  const lists = [
    ...files.map((each) => ({ ...each, info: undefined })),
    { name: listInfo.name, info: listInfo, labels: tableOf(own), refused: [], unread: [], endsMidLine: false },
  ];
  return { book: atOnce(AddressBook.steps(lists)), service: inProcessService(LabelBook.of(lists)) };
}
