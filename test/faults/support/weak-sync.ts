// Loaded before the program (`bun --preload`) it takes away what keeps acknowledged writes through a power cut: commits
// are not flushed any more. The control of the power-cut test: a simulator that does not see this sees nothing.
import Database from "better-sqlite3";
import { loadInThreads } from "./in-threads.ts";

loadInThreads(import.meta.path);

const { pragma } = Database.prototype;

Database.prototype.pragma = function weaken(this: Database.Database, source: string, options?: Database.PragmaOptions) {
  if (/^synchronous = /.test(source)) return pragma.call(this, "synchronous = NORMAL");
  // The program reads back what it set, and must not notice.
  if (source === "synchronous") return 2;
  return pragma.call(this, source, options);
};
