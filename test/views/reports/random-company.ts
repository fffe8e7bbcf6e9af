// Random companies for reports: the histories of the property tests, carried out by the service's own routes.
import fc from "fast-check";
import type { Tx } from "../../../src/storage/database/sql.ts";
import { Company } from "../../property/company.ts";
import { decide } from "../../property/model/decide.ts";
import { newModel } from "../../property/model/start.ts";
import { histories } from "../../property/steps.ts";

/** A company with a history of up to `steps` steps that follows from the seed. Runs inside a write transaction. */
export function randomCompany(tx: Tx, seed: number, steps = 30): Company {
  const [choices = []] = fc.sample(histories(steps), { numRuns: 1, seed });
  const company = new Company(tx);
  let model = newModel();
  for (const choose of choices) {
    const step = choose(model);
    if (step === null) continue;
    const decided = decide(model, step);
    const { isDone } = company.run(step);
    if (isDone && "after" in decided) model = decided.after;
  }
  return company;
}
