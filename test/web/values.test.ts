// What is made for the pages: enumerations of the API's document with their labels, registers of records, operations.
import { expect, test } from "bun:test";
import { fieldsText, moreActions, operationsText } from "../../.ci/api-operations.ts";
import { registersText } from "../../.ci/api-registers.ts";
import { madeModules } from "../../.ci/api-types.ts";
import { valuesText } from "../../.ci/api-values.ts";
import { body, date, id, optional, positiveDecimal, text } from "../../src/kernel/fields.ts";
import { ledgerOperation } from "../../src/ledger/operation.ts";
import { accessRoutes } from "../../src/people/routes.ts";
import { buildOpenApi } from "../../src/server/http/openapi/document.ts";
import { allRoutes } from "../../src/server/routes.ts";
import { schemaAt } from "../../src/storage/records/register.ts";
import { REGISTERS, type Registered } from "../../src/storage/records/registers.ts";
import { ACTIONS } from "../../src/web/pages/actions/action-specs.ts";
import { fieldsOf, type GuidedField } from "../../src/web/pages/actions/spec.ts";
import { RECORDS } from "../../src/web/pages/records/record-specs.ts";
import { CHOICE_WORDS } from "../../src/web/text/actions/field-words.ts";
import { type Labels, labelIn } from "../../src/web/text/common.ts";

test("the committed modules are those of the document, the records and the operations", async () => {
  const document = await buildOpenApi([...allRoutes("test"), ...accessRoutes]);
  const made = madeModules(document);
  expect(Object.keys(made).length).toBe(6);
  for (const [file, module] of Object.entries(made)) expect(await Bun.file(file).text()).toBe(module);
  const planted = JSON.parse(JSON.stringify(document).replaceAll('"BOARD_MEMBER",', '"BOARD_MEMBER","OBSERVER",'));
  expect(valuesText(planted)).not.toBe(valuesText(document));
});

test("a field of a form that is planted is made, and one of no member refused", () => {
  const { fields, register } = REGISTERS.stakeholders as Registered;
  const planted = (form: NonNullable<Registered["register"]["form"]>) =>
    registersText({ ...REGISTERS, stakeholders: { fields, register: { ...register, form } } });
  expect(planted({ ...register.form, contact: { email: { label: "Mail" } } })).toContain('label: "Mail"');
  expect(() => planted({ contact: { taxNumber: { label: "Tax number" } } })).toThrow("taxNumber");
});

test("an operation that is planted has its fields, and its group and securities in the menu", () => {
  const pledge = ledgerOperation({
    ...{ route: "pledge", summary: "Pledge shares", description: "", status: 200, answers: [], example: {} },
    securityTypes: ["STOCK"],
    body: body({ securityId: id(), pledgee: text(200), until: optional(date()), quantity: positiveDecimal() }),
    needs: () => ({}),
    decide: () => ({ entries: [] }),
  });
  expect(moreActions()).toEqual([]);
  expect(moreActions([pledge])).toEqual([{ operation: "pledge", label: "Pledge shares", group: "holdings" }]);
  const said = 'pledge: { title: "Pledge shares", group: "holdings", securityTypes: ["STOCK"] }';
  expect(operationsText([pledge])).toContain(said);
  const made = fieldsText([pledge]);
  expect(made).toContain('{ name: "pledgee", kind: "text" }');
  expect(made).toContain('{ name: "until", kind: "day", isOptional: true }');
  expect(made).toContain('{ name: "quantity", kind: "decimal", isPositive: true }');
});

test("every column of a register's sheet is a member of its records, or one that all have", () => {
  const members = Object.entries(REGISTERS).flatMap(([path, { fields, register }]) =>
    Object.entries(register.sheet ?? {}).flatMap(([key, { member = key }]) =>
      schemaAt(fields, member) ? [] : [`${path} ${member}`],
    ),
  );
  expect(members).toEqual(["stakeholders verificationStatus", "stakeholders id", "valuations id"]);
});

test("a register with a page by itself shows and filters by members alone", () => {
  const shown = Object.entries(REGISTERS).flatMap(([path, { fields, register }]) => {
    const { list, filters = {}, hasOwnPage } = register;
    const names = hasOwnPage ? [...Object.keys(list), ...Object.keys(filters)] : [];
    return names.map((name) => [`${path} ${name}`, name === "q" || schemaAt(fields, name) !== undefined] as const);
  });
  expect(shown).toContainEqual(["stock-legends text", true]);
  expect(shown.filter(([, isMember]) => !isMember)).toEqual([]);
});

test("every choice of a form has a label, and one without does not compile", () => {
  const specs = [...Object.values(ACTIONS), ...RECORDS].flatMap(({ groups }) => fieldsOf(groups));
  const values = specs.flatMap(({ choices }) => choices ?? []);
  expect(values).toContain("BOARD_MEMBER");
  expect(values.filter((value) => !(value in CHOICE_WORDS))).toEqual([]);
  const field = { name: "relationships", kind: "many" } as const;
  expect(labelIn(CHOICE_WORDS, "OBSERVER")).toBe("OBSERVER");
  ({ ...field, choices: ["BOARD_MEMBER"] }) satisfies GuidedField;
  // @ts-expect-error no label says OBSERVER
  ({ ...field, choices: ["OBSERVER"] }) satisfies GuidedField;
  const orders = ["MDY", "DMY", "YMD"] as const;
  // @ts-expect-error no label says YMD
  ({ MDY: "January 2", DMY: "February 1" }) satisfies Labels<typeof orders>;
});
