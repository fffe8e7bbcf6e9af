// Names by which people tell things apart: one that is invisible, or that is read otherwise than it is written, is 422
// where it is sent. An import takes it with a warning: the ledger says what the package says.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ExampleBook } from "../../src/server/http/openapi/example.ts";
import { type Fields, Small } from "../exchange/ocf/fixture.ts";
import { newCompany } from "../exchange/ocf/import-support.ts";
import { readZip } from "../exchange/ocf/reading.ts";
import { runCommand } from "../kit/command.ts";
import { newDataDir } from "../kit/program.ts";
import { type Company as Founded, foundCompany, stock } from "../ledger/support.ts";
import { ROUTES } from "../matrix/world.ts";
import { removeTemporaryFolders, temporaryFolder } from "../tokens/chain/support/people.ts";

setDefaultTimeout(60_000);

const UNSEEN = [
  "\u200b",
  "\u00a0\u3000",
  "\u200c\u200d\u200e\u200f\u061c",
  "\u00ad",
  "\u3164",
  "\ufe0f",
  "\u2800",
  "\ufeff ",
];
const TURNED = [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069].map(
  (code) => `Acme ${String.fromCharCode(code)}cni`,
);
/** Joiners and single marks have their place in names of several scripts. */
const SEEN = ["Ada", "می\u200cخواهم", "A\u200dB", "\u200eאבג\u200f", "x\u061c", "👩\u200d💻", "\u0301", "।", "Ünï"];

let company: Founded;

beforeAll(async () => {
  company = await foundCompany();
});
afterAll(async () => {
  await company.server.stop();
  removeTemporaryFolders();
});

const examples = new ExampleBook(ROUTES);
const NAMES = ["displayName", "legalName", "planName", "certificateId"];

/** Each place in a body where a name stands, as the routes themselves say. */
const PLACES = ROUTES.flatMap((route) => {
  if (route.method === "GET" || route.method === "PUT" || !route.body || "gives" in route) return [];
  const found = Object.entries(route.body.properties).flatMap(([member, schema]) => {
    const inner = Object.keys(schema.properties ?? {}).filter((name) => NAMES.includes(name));
    const isClassName = member === "name" && route.path.startsWith("/api/v1/share-classes");
    return [...(NAMES.includes(member) || isClassName ? [[member]] : []), ...inner.map((name) => [member, name])];
  });
  return found.map((path) => ({ route, path, place: `${route.method} ${route.path} #/${path.join("/")}` }));
});

describe("a name that is sent", () => {
  test("is looked at wherever one is", () => {
    expect(PLACES.map(({ place }) => place.replace("/api/v1", "")).sort()).toEqual([
      "PATCH /equity-plans/:id #/planName",
      "PATCH /organization #/legalName",
      "PATCH /securities/:id #/certificateId",
      "PATCH /share-classes/:id #/name",
      "PATCH /stakeholders/:id #/displayName",
      "PATCH /stakeholders/:id #/name/legalName",
      "POST /equity-plans #/planName",
      "POST /securities #/certificateId",
      "POST /share-classes #/name",
      "POST /stakeholders #/displayName",
      "POST /stakeholders #/name/legalName",
      "POST /transactions/convert #/certificateId",
      "POST /transactions/issue-convertible #/certificateId",
      "POST /transactions/issue-options #/certificateId",
      "POST /transactions/issue-shares #/certificateId",
      "POST /transactions/issue-warrant #/certificateId",
    ]);
  });

  test.each(PLACES)("by $place is 422 where it cannot be seen, or is turned", async ({ route, path }) => {
    const address = route.path.replace("/api/v1", "").replace(":id", "0190f5a2-6c1e-7b3a-9d4e-000000000000");
    const send = async (text: string) => {
      const [member = "", inner] = path;
      const value = inner === undefined ? text : { [inner]: text };
      const body = route.method === "PATCH" ? {} : (examples.body(route as never) as object);
      const { status, json } = await company.server.api(route.method, address, { ...body, [member]: value });
      return [status, ...(json.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)];
    };
    for (const text of [...UNSEEN, ...TURNED])
      expect([text, ...(await send(text))]).toEqual([text, 422, `#/${path.join("/")}`]);
    for (const text of SEEN) expect([text, (await send(text))[0] === 422]).toEqual([text, false]);
  });

  test("says why", async () => {
    const detailOf = async (displayName: string) => {
      const body = { displayName, name: { legalName: "Ada" }, type: "INDIVIDUAL" };
      return (await company.server.api("POST", "/stakeholders", body)).json.errors[0].detail;
    };
    expect(await detailOf("\u200b")).toBe("must have a visible character");
    expect(await detailOf("Ada\u202e")).toBe("must not have a character that turns the direction of text (U+202E)");
  });

  test("comes back as it was sent where it can be one, and other texts may be turned", async () => {
    for (const displayName of SEEN) {
      const body = { displayName, name: { legalName: displayName }, type: "INDIVIDUAL", comments: TURNED[0] };
      const { status, json } = await company.server.api("POST", "/stakeholders", body);
      expect([status, json.displayName, json.name?.legalName]).toEqual([201, displayName, displayName]);
    }
    const certificateId = "CS-\u200d1";
    expect(
      (await company.server.api("GET", `/securities/${await stock(company, { certificateId })}`)).json,
    ).toMatchObject({
      certificateId,
    });
  });

  test("to the command line is wrong usage", async () => {
    const ended = await runCommand(["org", "create", "--name", "\u202eAcme", "--data-dir", newDataDir()]);
    expect([ended.status, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain("turns the direction");
  });
});

describe("an import takes with a warning", () => {
  const cases: readonly (readonly [what: string, object: string, Fields, pointer: string, read: string])[] = [
    [
      "a holder",
      "bo",
      { name: { legal_name: "\u202eBo" } },
      "#/name/legal_name",
      "select displayName from stakeholders where id = 'bo'",
    ],
    [
      "a holder named by spaces",
      "bo",
      { name: { legal_name: "  " } },
      "#/name/legal_name",
      "select displayName from stakeholders where id = 'bo'",
    ],
    ["a class", "common", { name: "\u200b" }, "#/name", "select name from share_classes where id = 'common'"],
    [
      "a plan",
      "plan",
      { plan_name: "\u2066Plan" },
      "#/plan_name",
      "select planName from equity_plans where id = 'plan'",
    ],
    [
      "a certificate",
      "t01",
      { custom_id: "\u00a0" },
      "#/custom_id",
      "select certificateId from securities where certificateId = '\u00a0'",
    ],
  ];
  test.each(cases)("the name of %s that is not shown as it is", async (_what, id, members, pointer, read) => {
    const small = new Small();
    Object.assign(small.get(id), members);
    const target = await newCompany();
    try {
      const { errors, warnings } = await target.import(await readZip(small.zip()));
      expect(errors).toEqual([]);
      const said = warnings.map((each) => `${each.code} ${each.id} ${each.pointer}`);
      expect(said.filter((each) => each.startsWith("unreadable-name"))).toEqual([`unreadable-name ${id} ${pointer}`]);
      const text = pointer
        .split("/")
        .slice(1)
        .reduce<unknown>((found, step) => (found as Fields)[step], members);
      expect(target.db.sqlite.prepare(read).pluck().get()).toBe(text);
    } finally {
      target.close();
    }
  });

  test("an issuer's, and `ocf validate` says the same without calling it a problem", async () => {
    const small = new Small();
    const issuer = { ...small.file("issuer.json"), legal_name: " " };
    small.files.set("issuer.json", issuer);
    small.manifest.issuer = issuer;
    const target = await newCompany();
    const { errors, warnings } = await target.import(await readZip(small.zip()));
    target.close();
    const ofName = (list: readonly { code: string; pointer: string }[]) =>
      list.filter(({ code }) => code === "unreadable-name").map(({ pointer }) => pointer);
    expect([errors, ofName(warnings)]).toEqual([[], ["#/issuer/legal_name"]]);
    const { problems } = await small.validate();
    expect(problems.filter(({ severity }) => severity === "problem")).toEqual([]);
    expect(ofName(problems)).toEqual(["#/issuer/legal_name"]);
    const file = join(temporaryFolder(), "package.zip");
    writeFileSync(file, small.zip());
    expect((await runCommand(["ocf", "validate", file])).status).toBe(0);
  });
});
