// What is made for the pages: enumerations of the API's document with their labels, and the registers of records.
import { expect, test } from "bun:test";
import { registerPagesText, registersText } from "../../.ci/api-registers.ts";
import { valuesText } from "../../.ci/api-values.ts";
import { accessRoutes } from "../../src/people/routes.ts";
import { buildOpenApi } from "../../src/server/http/openapi/document.ts";
import { allRoutes } from "../../src/server/routes.ts";
import { schemaAt } from "../../src/storage/records/register.ts";
import { REGISTERS, type Registered } from "../../src/storage/records/registers.ts";
import { ACTIONS } from "../../src/web/pages/actions/action-specs.ts";
import { fieldsOf } from "../../src/web/pages/actions/spec.ts";
import { RECORDS } from "../../src/web/pages/records/record-specs.ts";
import { CHOICE_WORDS } from "../../src/web/text/actions/field-words.ts";

test("the committed enumerations are those of the document", async () => {
  const document = await buildOpenApi([...allRoutes("test"), ...accessRoutes]);
  const committed = await Bun.file("src/web/api/values.ts").text();
  expect(committed).toBe(valuesText(document));
  const planted = JSON.parse(JSON.stringify(document).replaceAll('"BOARD_MEMBER",', '"BOARD_MEMBER","OBSERVER",'));
  expect(valuesText(planted)).not.toBe(committed);
});

test("the committed registers are those of the records", async () => {
  const committed = await Bun.file("src/web/api/registers.ts").text();
  expect(committed).toBe(registersText());
  expect(await Bun.file("src/web/api/register-pages.ts").text()).toBe(registerPagesText());
  const { fields, register } = REGISTERS.stakeholders as Registered;
  const planted = (form: NonNullable<Registered["register"]["form"]>) =>
    registersText({ ...REGISTERS, stakeholders: { fields, register: { ...register, form } } });
  expect(planted({ ...register.form, contact: { email: { label: "Mail" } } })).not.toBe(committed);
  expect(() => planted({ contact: { taxNumber: { label: "Tax number" } } })).toThrow("taxNumber");
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

test("every choice of a form has a label", () => {
  const specs = [...Object.values(ACTIONS), ...RECORDS].flatMap(({ groups }) => fieldsOf(groups));
  const values = specs.flatMap(({ choices }) => choices ?? []);
  expect(values).toContain("BOARD_MEMBER");
  expect(values.filter((value) => CHOICE_WORDS[value] === undefined)).toEqual([]);
});
