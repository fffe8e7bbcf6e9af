// An import that takes one object in each of its transactions, so that a test can do something between any two.
import { spyOn } from "bun:test";
import type { ImportReport } from "../../../src/exchange/ocf/import/report.ts";
import type { Writer } from "../../../src/storage/database/writer.ts";
import type { TestServer } from "../../kit/service.ts";
import type { Fields } from "./objects.ts";
import type { Organization } from "./organization.ts";

/** More than half of the least time that a transaction of an import works. */
const TICK_MS = 6;

/** Thrown to break an import off, as a power cut would: between two of its transactions. */
export class PowerCut extends Error {}

/** Imports with `between(n)` called before the transaction `n`, from 0. A {@link PowerCut} breaks off: null. */
export async function importStepwise(
  server: TestServer,
  organization: Organization,
  objects: readonly Fields[],
  between: (transaction: number) => Promise<unknown>,
): Promise<ImportReport | null> {
  try {
    return await inSteps(server.app.writer, between, (writer) => organization.importBy({ writer }, ...objects));
  } catch (error) {
    if (error instanceof PowerCut) return null;
    throw error;
  }
}

/** Runs an import that writes by the writer that it is given, with `between(n)` called before its transaction `n`. */
export async function inSteps(
  writer: Writer,
  between: (transaction: number) => Promise<unknown>,
  importBy: (writer: Writer) => Promise<ImportReport>,
): Promise<ImportReport> {
  let transactions = 0;
  const slow: Writer = new Proxy(writer, {
    get(target, name) {
      if (name !== "submit") return Reflect.get(target, name, target);
      return async (...args: Parameters<Writer["submit"]>) => {
        await between(transactions++);
        return await target.submit(...args);
      };
    },
  });
  const start = performance.now();
  let ticks = 0;
  const clock = spyOn(performance, "now").mockImplementation(() => start + TICK_MS * ticks++);
  try {
    return await importBy(slow);
  } finally {
    clock.mockRestore();
  }
}
