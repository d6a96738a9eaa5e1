import { lockDirectory } from "../../../../src/adapters/files/run-lock.ts";

/** A process of its own that tries to lock every folder it is told, says whether it could, and never lets go. */
process.on("message", (folder: string) => {
  lockDirectory(folder, process.pid).then(
    () => process.send?.("locked"),
    (error: Error) => process.send?.(error.message),
  );
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
