// A package is told once to validation, import and export: what an import refuses tells it nothing, and what shares a
// name or lacks a member is told none the less.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Finding } from "../../../src/exchange/ocf/finding.ts";
import { validatePackage } from "../../../src/exchange/ocf/validate.ts";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { changeLogged, insertLogged } from "../../../src/storage/database/log/logged.ts";
import { findRecord } from "../../../src/storage/database/records.ts";
import { exportedFrom } from "../../property/cut.ts";
import { type Company, newCompany, packageWith, storedTotals } from "./import-support.ts";
import { type Fields, grant, RECORDS, stock, tx } from "./objects.ts";

setDefaultTimeout(60_000);

const open: Company[] = [];
afterAll(() => {
  for (const company of open) company.close();
});

async function companyWith(...objects: readonly Fields[]) {
  const company = await newCompany();
  open.push(company);
  const report = await company.import(packageWith(objects));
  return { company, report };
}

describe("what an import refuses", () => {
  const DAY = "2024-01-01";
  const transfer = tx("EQUITY_COMPENSATION_TRANSFER", "2024-02-01", {
    ...{ security_id: "g", quantity: "100", resulting_security_ids: ["h"] },
  });
  const packageIn = (transferred: Fields) => [
    ...RECORDS,
    grant("g", DAY, "100"),
    transferred,
    grant("h", "2024-02-01", "100"),
  ];

  test("makes nothing: the security that it names was granted for itself", async () => {
    const { id: _, ...nameless } = transfer;
    const { company, report } = await companyWith(...packageIn(nameless));
    expect(report.errors.map(({ code }) => code)).toEqual(["wrong-id"]);
    expect(findRecord(company.db, "securities", company.orgId, "h")?.originSecurityId).toBeNull();
    expect(storedTotals(company).plans.plan?.available).toBe("99800");
  });

  test("but what came in makes it of another one, which draws on the pool once", async () => {
    const { company, report } = await companyWith(...packageIn(transfer));
    expect(report.errors).toEqual([]);
    expect(findRecord(company.db, "securities", company.orgId, "h")?.originSecurityId).toBe("g");
    expect(storedTotals(company).plans.plan?.available).toBe("99900");
  });
});

test("an entry that cannot be used is refused with what a validation reports of it", async () => {
  const [holder] = RECORDS.filter(({ object_type: type }) => type === "STAKEHOLDER");
  const [older, newer] = ["PLAN_SECURITY", "EQUITY_COMPENSATION"].map((name) => {
    return tx(`${name}_CANCELLATION`, "2024-03-01", {
      ...{ id: "same", security_id: "g", quantity: "1" },
      reason_text: "",
    });
  });
  if (!holder || !older || !newer) throw new Error("the records have a holder");
  const entries = [
    { ...holder, object_type: "TX_MADE_UP" },
    { ...holder, object_type: undefined },
    { ...holder, id: "a\nb" },
    { ...holder, id: "x".repeat(256) },
    holder,
    // The older name of a type has its own ids; of one name the second is one too many.
    ...[older, newer, newer],
  ];
  const packed = packageWith([...RECORDS, grant("g", "2024-01-01", "100"), ...entries]);
  const company = await newCompany();
  open.push(company);
  const codes = ["unknown-type", "missing-field", "wrong-id", "duplicate-id"];
  const said = (all: readonly Pick<Finding, "code" | "file" | "index" | "pointer" | "detail" | "fix">[]) =>
    all
      .filter(({ code, pointer }) => codes.includes(code) && /^#\/(object_type|id)$/.test(pointer))
      .map(({ code, file, index, pointer, detail, fix }) => JSON.stringify([code, file, index, pointer, detail, fix]))
      .sort();
  const { errors } = await company.import(packed);
  const refused = said(errors);
  expect(refused).toEqual(said(validatePackage(packed).problems));
  expect(errors.map(({ code }) => code).sort()).toEqual([
    ...["duplicate-id", "duplicate-id", "missing-field", "unknown-type", "wrong-id", "wrong-id"],
  ]);
});

test("a class and a plan of one id are both reported when they exceed their limits", async () => {
  const records = RECORDS.map((record) => {
    if (record.id === "common") return { ...record, id: "same", initial_shares_authorized: "50" };
    return record.id === "plan"
      ? { ...record, id: "same", initial_shares_reserved: "50", stock_class_ids: ["same"] }
      : record;
  });
  const of = { stock_class_id: "same" };
  const granted = grant("g", "2024-01-01", "100", { ...of, stock_plan_id: "same" });
  const { report } = await companyWith(...records, stock("s", "2024-01-01", "100", of), granted);
  expect(report.warnings.map(({ code }) => code)).toEqual(["over-issued", "pool-overdrawn"]);
});

describe("a document", () => {
  const document = { object_type: "DOCUMENT", id: "doc", path: "a.pdf", md5: "nonsense" };

  test("that came without a usable checksum goes out with what was changed of it", async () => {
    const { company } = await companyWith(...RECORDS, document);
    const call = commandLineCall(systemRuntime, company.orgId);
    await company.writer.submit((written) => changeLogged(written, call, "documents", "doc", { path: "b.pdf" }));
    expect(exportedFrom(company.db, company.orgId).records["documents.json"]).toMatchObject({
      items: [{ ...document, path: "b.pdf" }],
    });
  });

  test("is not named by another one where it does not go out for lack of a place", async () => {
    const md5 = "0".repeat(32);
    const { company } = await companyWith(...RECORDS);
    const call = commandLineCall(systemRuntime, company.orgId);
    const bare = { orgId: company.orgId, createdAt: call.at, updatedAt: call.at, deletedAt: null };
    const none = {
      title: null,
      uri: null,
      comments: null,
      sha256: null,
      size: null,
      contentType: null,
      isSharedWithHolders: 0 as const,
    };
    const related = JSON.stringify([
      { objectType: "DOCUMENT", objectId: "placeless" },
      { objectType: "STAKEHOLDER", objectId: "ada" },
    ]);
    await company.writer.submit((written) => {
      const row = { ...bare, ...none, md5, relatedObjects: "[]" };
      insertLogged(written, call, "documents", { ...row, id: "placeless", path: null });
      insertLogged(written, call, "documents", { ...row, id: "placed", path: "c.pdf", relatedObjects: related });
    });
    expect(exportedFrom(company.db, company.orgId).records["documents.json"]).toMatchObject({
      items: [{ id: "placed", related_objects: [{ object_type: "STAKEHOLDER", object_id: "ada" }] }],
    });
  });
});
