// Loaded before the program (`bun --preload`) it takes back every seventh commit after its answer. The control of
// the tests that kill: one that does not see this loses nothing because it looks for nothing.
import Database from "better-sqlite3";
import { loadInThreads } from "./in-threads.ts";

loadInThreads(import.meta.path);

const SEVENTH = 7;
const { prepare } = Database.prototype;

function forget(this: Database.Database, source: string) {
  const statement: Database.Statement<[]> = prepare.call(this, source) as Database.Statement<[]>;
  if (source !== "COMMIT") return statement;
  let commits = 0;
  const keep = statement.run.bind(statement);
  statement.run = () => {
    if (++commits % SEVENTH > 0) return keep();
    this.exec("ROLLBACK");
    return { changes: 0, lastInsertRowid: 0 };
  };
  return statement;
}

Database.prototype.prepare = forget as typeof prepare;
