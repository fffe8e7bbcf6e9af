// Random companies whose figures every place shows: the histories of the property tests, and behind them what these have
// not: ratios of preferred stock, a net exercise, a correction, a leaver whose stock stops.

import { Problem } from "../../src/kernel/problem.ts";
import type { Tx } from "../../src/storage/database/sql.ts";
import { RollBack } from "../../src/storage/database/writer.ts";
import { seeded } from "../kit/random.ts";
import type { Asking } from "../property/bodies.ts";
import type { Company } from "../property/company.ts";
import { TODAY } from "../property/model/dates.ts";
import { randomCompany } from "../views/reports/random-company.ts";

const STEPS = 30;
const RATIOS = [
  ["3", "2"],
  ["1", "3"],
  ["2.5", "1"],
  ["1", "1"],
] as const;

/** A company that follows from the seed; every holder, class and plan has a name of its own. */
export function facesCompany(tx: Tx, seed: number): Company {
  const company = randomCompany(tx, seed, STEPS);
  const pick = seeded(seed);
  company.ids.classes.forEach((id, at) => void attempt(company, patch("share-classes", id, { name: `Class ${at}` })));
  company.ids.plans.forEach((id, at) => void attempt(company, patch("equity-plans", id, { planName: `Plan ${at}` })));
  // A plan without a day of its own counts in a model before it was made, and in the table from then on.
  const [, , undated = ""] = company.ids.plans;
  attempt(company, patch("equity-plans", undated, { adoptedDate: "2024-01-01" }));
  const [numerator, denominator] = RATIOS[pick(RATIOS.length)] ?? RATIOS[0];
  const [common, , preferred = ""] = company.ids.classes;
  const rounding = ["FLOOR", "CEILING", "NORMAL"][pick(3)];
  const right = { stockClassId: common, ratio: { numerator, denominator }, rounding };
  attempt(company, patch("share-classes", preferred, { conversionRights: [right] }));
  for (let more = 0; more < 4; more++) attempt(company, anyOperation(company, pick, more));
  return company;
}

function patch(path: string, id: string, body: Asking["body"]): Asking {
  return { name: `PATCH /api/v1/${path}/:id`, id, body };
}

/** One operation on what the company has now. */
function anyOperation(company: Company, pick: (below: number) => number, kind: number): Asking {
  const any = (ids: readonly string[]) => ids[pick(Math.max(ids.length, 1))] ?? "";
  const securityId = any(company.ids.securities);
  const operation = (route: string, body: Asking["body"]): Asking => {
    return { name: `POST /api/v1/transactions/${route}`, body: { effectiveDate: TODAY, ...body } };
  };
  switch (kind) {
    case 0:
      return operation("exercise", {
        ...{ securityId, quantity: "4", exercisePrice: "1", paymentMethod: "NET_EXERCISE", fairMarketValue: "4" },
      });
    case 1:
      return operation("terminate-service", { stakeholderId: any(company.ids.holders) });
    case 2:
      return operation("transfer", {
        ...{ securityId, fromStakeholderId: any(company.ids.holders), toStakeholderId: any(company.ids.holders) },
        quantity: "3",
      });
    default:
      return patch("securities", securityId, { pricePerShare: "2.25" });
  }
}

/** Does it in a savepoint; what is refused, or suits nothing here, leaves no trace. */
function attempt(company: Company, asking: Asking): boolean {
  const { sqlite } = company.tx;
  sqlite.exec("SAVEPOINT more");
  try {
    company.call(asking);
    return true;
  } catch (error) {
    sqlite.exec("ROLLBACK TO more");
    if (error instanceof Problem || error instanceof RollBack) return false;
    throw error;
  } finally {
    sqlite.exec("RELEASE more");
  }
}
