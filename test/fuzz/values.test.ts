// Every number and every text that any body takes, given each nasty form in turn. A value is taken, and comes back
// exactly as it was sent; anything else is 422 and pointed at. The rules are written out here anew, so that the service
// is not its own judge.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Kind, type TSchema } from "@sinclair/typebox";
import { pointerFragment } from "../../src/kernel/text/text.ts";
import type { SeriesRoute, WriteRoute } from "../../src/resources/route.ts";
import { Service } from "../kit/in-process.ts";
import { proved } from "../kit/proof.ts";
import { seeded } from "../kit/random.ts";
import { RELEASE } from "../kit/release.ts";
import { NAMES_RECORDS_OF } from "../matrix/expectations.ts";
import { boundsOf } from "../matrix/limits.ts";
import { fill, nameOf, pathOf, ROUTES } from "../matrix/world.ts";
import { makeBody, takesBody } from "./bodies.ts";
import { TestCompany } from "./company.ts";
import { Oracle } from "./oracle.ts";

type Path = readonly (string | number)[];

interface Place {
  readonly route: WriteRoute | SeriesRoute;
  readonly path: Path;
  readonly schema: TSchema;
}

/** Numbers as JSON texts. */
const NUMBERS: readonly string[] = [
  ...["0", "-1", "1", "1.5", "1e3", "-0", "1e400", "0.1", "true", "null", "[]", "{}", '["1"]', '{"amount":"1"}'],
  ...["0", "-1", "1e3", " 1", "1 ", "１", "+1", "0x10", "1,000", "1.", ".5", "", " ", "NaN", "Infinity", "--1"].map(
    quoted,
  ),
  ...["1.12345678901", "1_000", "٣", "1\u0000", "1\n", "\ufeff1", "1\u200b", "1e-3", "1E3", "0.0", "00.00"].map(quoted),
  ...["1", "0.5", "007", "1.50", "0.0000000001", "999999999999999", "999999999999999.9999999999"].map(quoted),
  ...["1000000000000000", "9".repeat(30), `0.${"0".repeat(39)}1`, `${"9".repeat(15)}.${"9".repeat(11)}`].map(quoted),
  quoted("1".repeat(500_000)),
];
const DECIMAL = /^[0-9]{1,15}(\.[0-9]{1,10})?$/;

/** Malformed texts, whatever the field. */
const NEVER = ["\ud800", "a\udc00b", "a\u0000b", "\u0007", "\u001b[31m", "\u007f", "\u0085"];
/** Texts that are some, where nothing but a text is asked for. */
const ALWAYS = [
  "a",
  " padded ",
  "\u202eright to left\u202c",
  "👩‍👩‍👧‍👦",
  "e\u0301 and é",
  "\u{10ffff}\u{1f600}",
  "‮",
  "ﬃ",
  "'; DROP TABLE stakeholders; --",
  "<script>alert(1)</script>",
  "__proto__",
  "\\u0000 in words",
  '"quoted" \\ and / back',
  "null",
  "{}",
  "%s%n%_",
  "\u00a0no break",
  "\u2028separated\u2029",
  "\ufeffmarked",
];

/** No name of anything: it cannot be seen, or is read otherwise than it is written. */
const UNSEEN = ["\u200b", "\u2060\u200d", "\u3164"];
const TURNED = /[\u202a-\u202e\u2066-\u2069]/;

/** Where a create body's member has another name in the answer. */
const ANSWERED_AS: Readonly<Record<string, string>> = {
  planName: "name",
  stockPlanId: "equityPlanId",
  totalConsideration: "purchasePrice",
};

function quoted(text: string): string {
  return JSON.stringify(text);
}

let service: Service;
let oracle: Oracle;
let company: TestCompany;

beforeAll(async () => {
  [service, oracle] = [await Service.start(1), await Oracle.make()];
  company = await TestCompany.create(service);
});
afterAll(() => service.stop());

/** The schema without "or null". */
function innerOf(schema: TSchema): TSchema {
  return Array.isArray(schema.anyOf) ? (schema.anyOf[0] as TSchema) : schema;
}

function* placesIn(schema: TSchema, path: Path): Generator<{ path: Path; schema: TSchema }> {
  const inner = innerOf(schema);
  if (inner.type === "object") {
    for (const [name, member] of Object.entries((inner.properties ?? {}) as Record<string, TSchema>)) {
      yield* placesIn(member, [...path, name]);
    }
  } else if (inner.type === "array") yield* placesIn(inner.items as TSchema, [...path, 0]);
  else if (inner.type === "string") yield { path, schema: inner };
}

function placesOf(kind: string): Place[] {
  return ROUTES.filter(takesBody).flatMap((route) =>
    [...placesIn(route.body as TSchema, [])]
      .filter(({ schema }) => schema[Kind] === kind)
      .map((place) => ({ route, ...place })),
  );
}

/** Puts a stand-in at the path of a body that is right otherwise. */
function bodyWith(place: Place, seed: number): Record<string, unknown> {
  const body = structuredClone(makeBody(place.route, company, seeded(seed))) as Record<string, unknown>;
  let inside: Record<string | number, unknown> = body;
  const last = place.path.at(-1) ?? "";
  for (const [index, step] of place.path.slice(0, -1).entries()) {
    const known = inside[step];
    const isList = typeof place.path[index + 1] === "number";
    if (typeof known !== "object" || known === null || (isList && (known as unknown[]).length === 0)) {
      inside[step] = isList ? [] : {};
    }
    inside = inside[step] as Record<string | number, unknown>;
  }
  inside[last] = STAND_IN;
  delete body.dryRun;
  return body;
}

const STAND_IN = "@@here@@";

interface Outcome {
  readonly status: number;
  /** What was said of the place. */
  readonly said: string | null;
  /** What the answer shows at the place; undefined where it shows none. */
  readonly shown: unknown;
}

async function put(place: Place, json: string, seed: number): Promise<Outcome> {
  const { route, path } = place;
  const text = JSON.stringify(bodyWith(place, seed)).replace(quoted(STAND_IN), () => json);
  const headers = { authorization: `Bearer ${company.key}`, "content-type": "application/json" };
  const target = fill(route, company.pathIds(route, seeded(seed)));
  const answer = await service.send({ method: route.method, path: target, headers, body: text });
  const fault = oracle.judge(route, answer);
  if (fault !== null) throw new Error(`${nameOf(route)} ${path.join("/")} = ${json.slice(0, 60)}\n  ${fault}`);
  const pointer = pointerFragment(path.map((step) => `/${step}`).join(""));
  const said = answer.json.errors?.find((error: { pointer: string }) => error.pointer === pointer)?.detail ?? null;
  const record = answer.json.data ?? answer.json;
  const [first = "", ...rest] = path;
  const known = [ANSWERED_AS[first] ?? first, ...rest];
  const shown = known.reduce<unknown>((value, step) => Reflect.get(Object(value), step), record);
  return { status: answer.status, said, shown: answer.status < 300 ? shown : undefined };
}

/** What is wrong with the outcome of a value that is right, or that is wrong, by the rules. */
function judge(outcome: Outcome, json: string, isValid: boolean): string | null {
  if (!isValid) return outcome.status === 422 && outcome.said !== null ? null : "was not pointed at";
  if (outcome.said !== null && FORM.test(outcome.said)) return "was refused for its form";
  if (outcome.shown === undefined || outcome.status >= 300) return null;
  return outcome.shown === JSON.parse(json) ? null : `came back as ${String(outcome.shown).slice(0, 60)}`;
}

/** What is said of a value's form; other refusals are about what it means here. */
const FORM = RegExp(
  "^must be a (decimal|string)|^must (not )?be (well-formed|blank)|control characters|must have (at most|a visible)" +
    "|turns the direction",
);

test.each<[string, Outcome, string, boolean]>([
  ["a wrong value that is taken", { status: 201, said: null, shown: "1e3" }, '"1e3"', false],
  ["a wrong value that is not pointed at", { status: 422, said: null, shown: undefined }, '"1e3"', false],
  ["a right value that is refused", { status: 422, said: "must be a decimal string", shown: undefined }, '"1"', true],
  ["a right value that comes back otherwise", { status: 200, said: null, shown: "1.5" }, '"1.50"', true],
])("%s would be found", (_name, outcome, json, isValid) => {
  expect(judge(outcome, json, isValid)).not.toBeNull();
  expect(judge({ status: 201, said: null, shown: "1.50" }, '"1.50"', true)).toBeNull();
});

/** Into how many parts the forms of a value are divided where not all are tried. */
const PARTS = 12;

async function tryAll(places: readonly Place[], values: (place: Place) => readonly (readonly [string, boolean])[]) {
  const faults: string[] = [];
  let [tried, returned] = [0, 0];
  for (const [at, place] of places.entries()) {
    // Each field is tried with a part of the forms, and the next with another part: each form in many fields.
    const forms = values(place).filter((_, index) => RELEASE || (at + index) % PARTS === 0);
    for (const [json, isValid] of forms) {
      const outcome = await put(place, json, ++tried);
      const fault = judge(outcome, json, isValid);
      if (outcome.status < 300 && outcome.shown !== undefined) returned++;
      const where = `${nameOf(place.route)} ${place.path.join("/")}`;
      if (fault !== null) faults.push(`${where} = ${json.slice(0, 60)}: ${fault} (${outcome.status} ${outcome.said})`);
    }
    await company.look();
  }
  expect(faults.slice(0, 12)).toEqual([]);
  expect(service.differences()).toEqual([]);
  return { tried, returned };
}

function numbersFor({ schema, path, route }: Place): (readonly [string, boolean])[] {
  const isClearable = mayBeNull(route, path);
  const [, least] = boundsOf(pathOf(route).split("/")[1] ?? "", path.map(String)).within;
  // More places than money has, or a percentage: a rule about what it means, which test/matrix/limits.system.test.ts tries.
  const isFiner = (json: string) =>
    DECIMAL.test(json.slice(1, -1)) && placesOfText(json.slice(1, -1)) > placesOfText(least);
  return NUMBERS.filter((json) => !isFiner(json)).map((json) => {
    const value: unknown = json === "1e400" ? Number.POSITIVE_INFINITY : JSON.parse(json);
    const isDecimal = typeof value === "string" && DECIMAL.test(value);
    const isCleared = json === "null" && isClearable;
    return [json, isCleared || (isDecimal && (schema["x-positive"] !== true || /[1-9]/.test(String(value))))] as const;
  });
}

function placesOfText(decimal: string): number {
  return (decimal.split(".")[1] ?? "").replace(/0+$/, "").length;
}

/** Whether null is a value of the member at the path: one that its object can do without. */
function mayBeNull(route: Place["route"], path: Path): boolean {
  let member = route.body as TSchema;
  let isOptional = true;
  for (const step of path) {
    const inner = innerOf(member);
    isOptional = typeof step === "string" && !((inner.required ?? []) as readonly string[]).includes(step);
    member = typeof step === "number" ? inner.items : inner.properties[step];
  }
  return isOptional && Array.isArray(member.anyOf);
}

function textsFor({ schema, path }: Place): (readonly [string, boolean])[] {
  const most = Number(schema.maxLength);
  const isFree = schema["x-line-breaks"] === true;
  const isRequired = schema.minLength === 1;
  const isShown = schema["x-name"] === true;
  const last = String(path.at(-1));
  // What names a record, or a place in the same body, is a text whose every form is right and means nothing.
  const isName =
    last === "id" || /Ids?$/.test(String(path.find((step) => typeof step === "string" && /Ids?$/.test(step))));
  const sized = isName ? [] : [most, most + 1].flatMap((count) => ["x".repeat(count), "😀".repeat(count)]);
  return [
    ...NEVER.map((text) => [quoted(text), false] as const),
    ...["1", "true", "[]", "{}", '["a"]'].map((json) => [json, false] as const),
    ...ALWAYS.map((text) => [quoted(text), [...text].length <= most && (!isShown || !TURNED.test(text))] as const),
    ...UNSEEN.map((text) => [quoted(text), !isShown] as const),
    ...["", " ", "\u3000\u00a0"].map((text) => [quoted(text), !isRequired] as const),
    ...["a\nb", "a\tb", "a\r\nb"].map((text) => [quoted(text), isFree] as const),
    ...sized.map((text) => [quoted(text), [...text].length <= most] as const),
  ];
}

test("S5: every decimal field takes exactly the decimals, and gives them back as they were sent", async () => {
  const places = placesOf("captable:decimal");
  expect(places.length).toBeGreaterThan(40);
  const { tried, returned } = await tryAll(places, numbersFor);
  expect(returned).toBeGreaterThan(RELEASE ? 100 : 6);
  proved({
    fault: "S5",
    what: `forms of numbers in ${places.length} fields`,
    count: tried,
    seed: "–",
    result: "as specified",
  });
}, 300_000);

test("S6: every text field takes exactly the texts up to its length in code points, and gives them back", async () => {
  const places = placesOf("captable:text").filter(
    ({ path }) => NAMES_RECORDS_OF[String(path[0])] === undefined || NAMES_RECORDS_OF[String(path[0])] === null,
  );
  expect(places.length).toBeGreaterThan(80);
  const { tried, returned } = await tryAll(places, textsFor);
  expect(returned).toBeGreaterThan(RELEASE ? 1000 : 60);
  proved({
    fault: "S6",
    what: `forms of text in ${places.length} fields`,
    count: tried,
    seed: "–",
    result: "as specified",
  });
}, 300_000);
