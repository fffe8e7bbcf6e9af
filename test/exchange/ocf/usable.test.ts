// What an import refuses is a problem in `ocf validate` too: each fault goes both ways.
import { describe, expect, test } from "bun:test";
import { type Fields, Small } from "./fixture.ts";
import { newCompany } from "./import-support.ts";
import { readZip } from "./reading.ts";

type Fault = readonly [what: string, object: string, members: Fields, code: "wrong-id" | "refused", pointer: string];

const LONG = "x".repeat(256);
const event = (type: string, members: Fields): Fields => ({ object_type: type, date: "2024-06-01", ...members });

const FAULTS: readonly Fault[] = [
  ["an empty id", "bo", { id: "" }, "wrong-id", "#/id"],
  ["an id of 256 characters", "t14", { id: LONG }, "wrong-id", "#/id"],
  ["an id with a line break", "common", { id: "a\nb" }, "wrong-id", "#/id"],
  ["an id with a NUL", "doc", { id: "a\u0000b" }, "wrong-id", "#/id"],
  ["a holder without a name", "bo", { name: { legal_name: "" } }, "refused", "#/name/legal_name"],
  ["a class without a name", "common", { name: "" }, "refused", "#/name"],
  ["a plan without a name", "plan", { plan_name: "" }, "refused", "#/plan_name"],
  ["a security without an id", "t25", { security_id: " " }, "refused", "#/security_id"],
  ["a security with a long id", "t25", { security_id: LONG }, "refused", "#/security_id"],
  ["an unpaired surrogate", "bo", { comments: ["\ud83d"] }, "refused", "#"],
  ["a number of 31 digits", "t25", { quantity: "1".repeat(31) }, "refused", "#/quantity"],
  [
    "a negative limit",
    "t25",
    event("TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT", { stock_class_id: "common", new_shares_authorized: "-1" }),
    "refused",
    "#/new_shares_authorized",
  ],
];

/** Both reports of a package, the import's errors and the validation's problems, as `code pointer` of one object. */
async function bothReports(small: Small, object: Fields) {
  const company = await newCompany();
  try {
    const { errors } = await company.import(await readZip(small.zip()));
    const { problems } = await small.validate();
    const said = (list: readonly { code: string; objectType: string | null; pointer: string; detail: string }[]) =>
      list.filter(({ objectType }) => objectType === object.object_type);
    return { errors: said(errors), problems: said(problems.filter(({ severity }) => severity === "problem")) };
  } finally {
    company.close();
  }
}

describe("refused by an import, and a problem in a validation:", () => {
  for (const [what, id, members, code, pointer] of FAULTS) {
    test(what, async () => {
      const small = new Small();
      const object = small.get(id);
      if (members.object_type) for (const name of Object.keys(object)) if (name !== "id") delete object[name];
      Object.assign(object, members);
      const { errors, problems } = await bothReports(small, object);
      expect(errors.map((each) => `${each.code} ${each.pointer}`)).toEqual([`${code} ${pointer}`]);
      expect(problems.map((each) => `${each.code} ${each.pointer}`)).toContain(`${code} ${pointer}`);
      expect(problems.find((each) => each.pointer === pointer)?.detail).toBe(errors[0]?.detail);
    });
  }

  for (const [what, member, value, code] of [
    ["an issuer without an id", "id", "", "wrong-id"],
    ["an issuer without a name", "legal_name", "", "refused"],
  ] as const) {
    test(what, async () => {
      const small = new Small();
      const issuer = small.file("issuer.json");
      issuer[member] = value;
      small.manifest.issuer = issuer;
      const { errors, problems } = await bothReports(small, issuer);
      expect(errors.map((each) => `${each.code} ${each.pointer}`)).toEqual([`${code} #/issuer/${member}`]);
      expect(problems.map((each) => `${each.code} ${each.pointer}`)).toContain(`${code} #/issuer/${member}`);
    });
  }
});

test("what the shape says already is not said twice", async () => {
  const small = new Small();
  delete small.get("bo").name;
  Object.assign(small.get("val"), { price_per_share: null });
  const { problems } = await small.validate();
  const places = problems.filter(({ id }) => id === "bo" || id === "val").map(({ id, pointer }) => `${id}${pointer}`);
  expect(places).toEqual(["bo#/name", "val#/price_per_share"]);
});
