// The enumerations that pages take from the API's document, and their labels.
import { expect, test } from "bun:test";
import { valuesText } from "../../.ci/api-values.ts";
import { accessRoutes } from "../../src/people/routes.ts";
import { buildOpenApi } from "../../src/server/http/openapi/document.ts";
import { allRoutes } from "../../src/server/routes.ts";
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

test("every choice of a form has a label", () => {
  const specs = [...Object.values(ACTIONS), ...RECORDS].flatMap(({ groups }) => fieldsOf(groups));
  const values = specs.flatMap(({ choices }) => choices ?? []);
  expect(values).toContain("BOARD_MEMBER");
  expect(values.filter((value) => CHOICE_WORDS[value] === undefined)).toEqual([]);
});
