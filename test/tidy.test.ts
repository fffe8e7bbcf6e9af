// Project rules that no linter checks. A rule that is broken names the file and says what to do.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { Glob } from "bun";
import { LOGGED } from "../src/storage/database/log/logged-tables.ts";

/** Made of the API's document; its types are not committed. */
const GENERATED: readonly string[] = [
  "types",
  "values",
  "registers",
  "operations",
  "operation-fields",
  "entry-types",
  "menu",
].map((name) => `src/web/api/${name}.ts`);
/** What the typed client knows of the API, made of its document and not committed. */
const MADE = "cli/client/made/";
const SOURCE = [...new Glob("{src,cli,migrations}/**/*.{ts,tsx}").scanSync(".")]
  .filter((file) => !GENERATED.includes(file) && !file.startsWith(MADE))
  .sort();
const TEXTS = new Map(await Promise.all(SOURCE.map(async (file) => [file, await Bun.file(file).text()] as const)));

const LINES_MAX = 400;
const LINE_LENGTH_MAX = 120;
const EMBEDDED_TEXT = /\.sol$|assets\//;

/** Every file that breaks a rule; the files named in `except` may. */
function breaking(rule: (text: string, file: string) => boolean, except: readonly RegExp[] = []): string[] {
  return [...TEXTS]
    .filter(([file, text]) => !except.some((allowed) => allowed.test(file)) && rule(text, file))
    .map(([file]) => file);
}

/** The text without comments and string contents, so that words in prose do not count. */
function code(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
}

test("files stay under 400 lines, lines under 120 characters", () => {
  expect(breaking((text) => text.split("\n").length > LINES_MAX + 1)).toEqual([]);
  const isLong = (line: string) =>
    line.length > LINE_LENGTH_MAX && !/^\s*(?:"|'|`|\/\/|return "|description: ).*$/.test(line);
  expect(
    breaking((text) =>
      text.split("\n").some((line) => isLong(line) && !/"[^"]{60,}"|`[^`]{60,}`|\/.{60,}\//.test(line)),
    ),
  ).toEqual([]);
});

test("a module says in its first line why it exists", () => {
  expect(breaking((text) => !/^(#!.*\n)?\/[/*]/.test(text))).toEqual([]);
});

test("nothing is left to do, and no type is forced", () => {
  expect(
    breaking((text) =>
      /\b(TODO|FIXME|HACK|XXX)\b|@ts-(ignore|expect-error|nocheck)|as unknown as|: any\b|as any\b/.test(code(text)),
    ),
  ).toEqual([]);
});

test("time, randomness, environment and console each enter in one place", () => {
  const clocks = [/^src\/kernel\/runtime\.ts$/, /^src\/web\/clock\.ts$/];
  expect(breaking((text) => /\bDate\.now\(|new Date\(/.test(code(text)), clocks)).toEqual([]);
  expect(breaking((text) => /Math\.random\(/.test(code(text)))).toEqual([]);
  expect(breaking((text) => /process\.env\b/.test(code(text)), [/^src\/server\/config\.ts$/])).toEqual([]);
  expect(breaking((text) => /\bconsole\./.test(code(text)))).toEqual([]);
});

test("what is printed goes through the places that escape it", () => {
  // What goes down a pipe as a file is no text for a terminal, and never goes to one.
  const allowed = [
    /^cli\/(command|progress|standard-output)\.ts$/,
    /^cli\/operating\/serve\.ts$/,
    /^src\/server\/app\.ts$/,
  ];
  expect(breaking((text) => /process\.std(out|err)\.write\(/.test(code(text)), allowed)).toEqual([]);
});

test("SQL stands in stores, the database folder and migrations only", () => {
  const allowed = [
    /store\.ts$/,
    /^src\/storage\/database\//,
    /^migrations\//,
    /^src\/tokens\/chain\/embedded\//,
    /^src\/storage\/data-dir\/lock\.ts$/,
    /^src\/server\/app\.ts$/,
  ];
  expect(
    breaking((text) => /from "kysely|from "better-sqlite3|\.sqlite\.(prepare|exec|pragma)\(/.test(code(text)), allowed),
  ).toEqual([]);
});

test("securities are read as a split under way has decided, but where rows are written and proved", () => {
  const allowed = [
    /^src\/storage\/database\/split-(view|rows)\.ts$/,
    /^src\/storage\/database\/log\/logged(-tables)?\.ts$/,
    /^src\/safekeeping\/verify\/(log-)?store\.ts$/,
  ];
  const past = /\bmain\.securities\b|"main"\."?securities|\bmain\.\$|\bstoredTable\b/;
  expect([past.test("from main.securities as stored"), past.test("from securities")]).toEqual([true, false]);
  expect(breaking((text) => past.test(code(text)), allowed)).toEqual([]);
  // Every statement gets the view where it is compiled, and statements are prepared nowhere else.
  expect(breaking((text) => /\basDecided\(/.test(code(text)))).toEqual([
    "src/storage/database/split-view.ts",
    "src/storage/database/sql.ts",
  ]);
  const prepares = /\.prepare(<[^(]*>)?\((?!"(BEGIN|COMMIT|SAVEPOINT|RELEASE|PRAGMA))[\s\S]{0,400}?\bsecurities\b/;
  expect(breaking((text) => prepares.test(code(text)))).toEqual([]);
});

test("what the log tells of is written by storage/database/log/logged.ts alone", () => {
  const tables = Object.keys(LOGGED).join("|");
  const built = new RegExp(`(insertInto|replaceInto|updateTable|deleteFrom)\\(\\s*"(${tables})"`);
  const raw = new RegExp(
    `(insert( or \\w+)? into|replace into|update( or \\w+)?|delete from)\\s+"?(${tables})\\b`,
    "i",
  );
  expect([built.test('build.updateTable("securities")'), raw.test("UPDATE OR IGNORE api_keys")]).toEqual([true, true]);
  const allowed = [/^src\/storage\/database\/(log\/logged|row-writes)\.ts$/, /^migrations\//];
  expect(breaking((text) => built.test(code(text)) || raw.test(code(text)), allowed)).toEqual([]);
  expect(breaking((text) => /\binsertColumns\b/.test(code(text)), allowed)).toEqual([]);
});

/** How a file reads what entries store by itself, or knows the words of OCF; null where it does neither. */
function readsStored(text: string): string | null {
  // A store asks SQLite for a member by its stored name.
  const known = code(text).replace(/'\$\.ocf\w+'/g, "");
  const read = /\btextOf\(|\bmetadata(\?\.|\.|\[)|\} = (\w+\.)?metadata\b/;
  return /ocf/i.exec(known)?.[0] ?? read.exec(known.replace(/"[^"]*"/g, '""'))?.[0] ?? null;
}

test("what an entry stores, and how imports call it, is known to its decoder alone", () => {
  // `stock-split.ts` decodes what a split alone says, `types.ts` has the one way to read a text.
  const decoder = [/^src\/ledger\/(members|imported-members|splits\/stock-split|types)\.ts$/];
  const isKept = (file: string) => /^src\/(ledger|safekeeping\/verify|views\/cap-table)\//.test(file);
  expect(breaking((text, file) => isKept(file) && readsStored(text) !== null, decoder)).toEqual([]);
  const bad = ['textOf(metadata, "x")', "metadata.ocfTaken", "const { a } = entry.metadata;", "(ocfId: string)"];
  expect(bad.map(readsStored)).toEqual(["textOf(", "ocf", "} = entry.metadata", "ocf"]);
  expect(readsStored("// OCF\nsql`json_extract(metadata, '$.ocfId')`; membersOf(entry).imported.taken")).toBeNull();
});

/** A text that takes the name of an entry's type apart, instead of asking the event what the entry does. */
const TYPE_PARTS =
  /"_(ISSUANCE|TRANSFER|EXERCISE|CONVERSION|CANCELLATION|REPURCHASE|RETRACTION|ADJUSTMENT|SPLIT|UPDATE)"|lastIndexOf\("_"\)/;

test("an entry is decoded once, and applied by the story, by writes and by verify alone", () => {
  // What OCF calls its transactions is no entry's type; verify reads types in its own way, as the second opinion.
  const apart = [/^src\/ledger\/replay\//, /^src\/exchange\/ocf\/checks\//, /^src\/safekeeping\/verify\/ledger\.ts$/];
  expect(breaking((text) => TYPE_PARTS.test(code(text)), apart)).toEqual([]);
  expect(
    ['type.endsWith("_TRANSFER")', 'type.slice(type.lastIndexOf("_") + 1)'].every((bad) => TYPE_PARTS.test(bad)),
  ).toBe(true);
  const drivers = [
    /^src\/ledger\/(replay\/story|rules\/apply|writes\/execute)\.ts$/,
    /^src\/safekeeping\/verify\/ledger\.ts$/,
  ];
  expect(breaking((text) => /\bapplyEntry\b/.test(code(text)), drivers)).toEqual([]);
  const splits = [...TEXTS.values()].reduce((sum, text) => sum + code(text).split("readSplit(").length - 1, 0);
  expect(splits).toBeLessThanOrEqual(6);
});

/** Words of the cap table's lines and columns, or their order: what its lay-out alone decides. */
const CAP_TABLE_WORDS =
  /["`](\(no holder\)|Available: |% (outstanding|fully diluted|granted)"|Added by conversion"|Not issued")|\blargestFirst\b/;

test("the cap table is laid out in one place, and every face prints that", () => {
  const layout = [/^src\/views\/cap-table\/layout\//];
  expect(breaking((text) => CAP_TABLE_WORDS.test(code(text)), layout)).toEqual([]);
  const bad = ['displayName ?? "(no holder)"', "`Available: ", '"% granted"', "largestFirst(holders)"];
  expect(bad.every((each) => CAP_TABLE_WORDS.test(each))).toBe(true);
  expect(CAP_TABLE_WORDS.test('"Not issued yet"')).toBe(false);
});

/** A message to a worker or from one, or a worker that is no `Thread`. */
const OWN_PROTOCOL = /\bpostMessage\(|\.onmessage\b|\.terminate\(\)|(?<!\(\) => )new Worker\(/;

test("threads are spoken to in one way", () => {
  const way = [/^src\/kernel\/threads\/thread\.ts$/];
  expect(breaking((text) => OWN_PROTOCOL.test(code(text)), way)).toEqual([]);
  const bad = ["self.postMessage(reply)", "worker.onmessage = take", "const worker = new Worker(file)"];
  expect(bad.every((each) => OWN_PROTOCOL.test(each))).toBe(true);
});

test("rows of an organization are read through the builder that names it", () => {
  const unbounded = /\bbuild\s*\.selectFrom\(\s*(?!"(organizations|settings)")/;
  expect(unbounded.test('build\n  .selectFrom("securities")')).toBe(true);
  expect(unbounded.test('build.selectFrom("organizations")')).toBe(false);
  expect(
    breaking((text) => unbounded.test(code(text)), [/^src\/storage\/database\/sql\.ts$/, /^src\/exchange\/ocf\//]),
  ).toEqual([]);
});

test("figures on pages stay decimals, and text never becomes markup", () => {
  const isPage = (file: string) => file.startsWith("src/web/");
  // Pixels, counts of rows, and moments.
  const drawn = [
    /^src\/web\/parts\/charts\//,
    /^src\/web\/parts\/(tables\/virtual-table|forms\/combobox)\.tsx$/,
    /^src\/web\/api\/read-soon\.ts$/,
  ];
  const float = /\bNumber\(|\bparseFloat\(|\bMath\.|[=(,:?]\s*\+[A-Za-z_]/;
  expect([float.test("width: Math.round(x)"), float.test("f(+value)"), float.test("a + b")]).toEqual([
    true,
    true,
    false,
  ]);
  expect(breaking((text, file) => isPage(file) && float.test(code(text)), drawn)).toEqual([]);
  expect(breaking((text, file) => isPage(file) && /InnerHTML|innerHTML|outerHTML|\beval\(/.test(code(text)))).toEqual(
    [],
  );
});

test("the pure core is synchronous", () => {
  const pure = /^src\/(kernel|ledger)\/|[/-](rules|store)\.ts$|\/schema\.ts$|^src\/exchange\/ocf\/codec\//;
  const allowed = [/^src\/tokens\/chain\//, /^src\/kernel\/(files|threads)\//];
  expect(breaking((text, file) => pure.test(file) && /\basync\b|\bawait\b|Promise</.test(code(text)), allowed)).toEqual(
    [],
  );
});

/** What the composition root may import, in the words of a district's table. */
const EVERYTHING = "everything";

/** The cells of the rows of a Markdown table that `wanted` matches. */
function rowsOf(markdown: string, wanted: RegExp): string[][] {
  const rows = markdown.split("\n").filter((line) => wanted.test(line));
  const cellsOf = (row: string) => row.split("|").map((cell) => cell.trim());
  return rows.map((row) => cellsOf(row).slice(1, -1));
}

/** The names in backticks of a cell. */
const namedIn = (cell = "") => [...cell.matchAll(/`([\w./-]+)`/g)].map(([, name]) => name ?? "");

/** The districts by the map in src/README.md, each with its line; that of the pages is null. */
const LINES = new Map(
  rowsOf(await Bun.file("src/README.md").text(), /^\| [\d–] /).map(([line, district]) => [
    namedIn(district)[0]?.replace("/", "") ?? "",
    line === "–" ? null : Number(line),
  ]),
);

/** What the pages may import. */
const OF_PAGES = ["kernel/", "ledger/vesting/", "views/cap-table/layout/", "web/"];
/** What the server reads of the pages: their files and addresses. */
const PAGES_SERVED = ["web/asset.ts", "web/files.ts", "web/routes.ts"];

/** A room and the names of what it may import. */
type Rule = readonly [room: string, allowed: readonly string[]];

/** The table of a district's README; a room `.` is the district without the other rooms. */
function readTable(district: string, readme: string): Rule[] {
  return rowsOf(readme, /^\| `/).flatMap(([rooms, , allowed]) =>
    namedIn(rooms).map((room): Rule => {
      const path = room === "." ? `${district}/` : `${district}/${room}`;
      return [path, allowed === EVERYTHING ? [""] : namedIn(allowed)];
    }),
  );
}

/** Every room's rule; longest names first. */
const RULES = (
  await Promise.all(
    [...LINES.keys()].map(async (district) => readTable(district, await Bun.file(`src/${district}/README.md`).text())),
  )
)
  .flat()
  .sort(([one], [other]) => other.length - one.length);

const isIn = (file: string, room: string) =>
  room.endsWith("/") || room === "" ? file.startsWith(room) : file === room;

const districtOf = (file: string) => file.split("/")[0] ?? "";

/** Why the lines of the map keep `file` from importing `imported`, or null; both below src/. */
function againstMap(file: string, imported: string): string | null {
  const [from, to] = [districtOf(file), districtOf(imported)];
  if (from === to) return null;
  if (from === "web") return OF_PAGES.some((name) => isIn(imported, name)) ? null : `${file} imports ${imported}`;
  if (to === "web") return PAGES_SERVED.includes(imported) ? null : `${file} imports ${imported}`;
  const [line, other] = [LINES.get(from), LINES.get(to)];
  if (line == null || other == null) return `${file} or ${imported} is in no district of src/README.md`;
  return line < other ? null : `${file} imports ${imported}: by the map, ${to} is not below ${from}`;
}

/** Why `file` may not import `imported`, or null; both below src/. */
function forbidden(file: string, imported: string): string | null {
  const broken = againstMap(file, imported);
  if (broken !== null) return broken;
  const rule = RULES.find(([room]) => isIn(file, room));
  if (rule === undefined) return `${file} is in no row of src/${districtOf(file)}/README.md`;
  const [room, allowed] = rule;
  const own = room.endsWith("/") && isIn(imported, room);
  if (own || allowed.some((name) => isIn(imported, name))) return null;
  return `${file} imports ${imported}: by its README, ${room} may not`;
}

/** What a file imports of ours: values, types and lazily. */
function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from |import |import\()"(\.[^"]+)"/g)].map(([, target = ""]) =>
    new URL(target, `file:///${file}`).pathname.slice(1),
  );
}

const IMPORTS = new Map([...TEXTS].map(([file, text]) => [file, importsOf(file, text)] as const));

/** What a file imports of src/, as paths below it. */
const importedBy = (file: string) =>
  (IMPORTS.get(file) ?? []).filter((path) => path.startsWith("src/")).map((path) => path.slice(4));

const IN_SRC = [...IMPORTS.keys()].filter((file) => file.startsWith("src/"));

test("imports go as the map and the districts' tables say, types and lazy ones too", () => {
  const goesUp = (path: string) => path.startsWith("cli/") || path.startsWith("test/");
  expect(IN_SRC.filter((file) => IMPORTS.get(file)?.some(goesUp))).toEqual([]);
  expect(
    IN_SRC.flatMap((file) => importedBy(file).flatMap((imported) => forbidden(file.slice(4), imported) ?? [])),
  ).toEqual([]);
  expect(RULES.map(([room]) => room).filter((room) => !IN_SRC.some((file) => isIn(file, `src/${room}`)))).toEqual([]);
});

test("the typed client imports nothing of ours, since it is a package by itself", () => {
  const isOurs = (path: string) => !path.startsWith("cli/client/");
  const files = [...IMPORTS].filter(([file]) => file.startsWith("cli/client/"));
  expect(files.length).toBeGreaterThan(5);
  expect(files.flatMap(([file, imported]) => imported.filter(isOurs).map((path) => `${file}: ${path}`))).toEqual([]);
  expect(importsOf("cli/client/a.ts", 'import { say } from "../command.ts";').filter(isOurs)).toEqual([
    "cli/command.ts",
  ]);
});

/** No more arrows between districts than these. */
const ARROWS_MAX = 45;

test("src has eleven districts, and few arrows between them", () => {
  const top = [...new Glob("*").scanSync({ cwd: "src", onlyFiles: false })];
  expect(top.sort()).toEqual(["README.md", ...LINES.keys()].sort());
  expect(LINES.size).toBe(11);
  const arrows = IN_SRC.flatMap((file) =>
    importedBy(file).map((imported) => [file.slice(4), imported].map(districtOf)),
  );
  const apart = arrows.filter(([from, to]) => from !== to);
  expect(new Set(apart.map((arrow) => arrow.join())).size).toBeLessThanOrEqual(ARROWS_MAX);
});

test("the map has at most 60 lines, and each district a README of at most 25", async () => {
  const linesOf = async (path: string) => (await Bun.file(path).text()).trimEnd().split("\n").length;
  expect(await linesOf("src/README.md")).toBeLessThanOrEqual(60);
  for (const district of LINES.keys()) expect(await linesOf(`src/${district}/README.md`)).toBeLessThanOrEqual(25);
});

/** The folders that hold more files than `most`. */
function fullFolders(files: readonly string[], most: number): string[] {
  const folders = Map.groupBy(files, (file) => file.slice(0, file.lastIndexOf("/")));
  return [...folders].filter(([, held]) => held.length > most).map(([folder]) => folder);
}

test("a folder has at most 25 files", () => {
  expect(fullFolders(SOURCE, 25)).toEqual([]);
  expect(fullFolders(["a/b.ts", "a/c.ts", "d/e.ts"], 1)).toEqual(["a"]);
});

/** Names that several files of one district have, but for those that each noun or page has. */
function homonyms(files: readonly string[]): string[] {
  const nameOf = (file: string) => file.slice(file.lastIndexOf("/") + 1).replace(/\.tsx?$/, "");
  const own = files.filter((file) => !["routes", "store", "schema", "page"].includes(nameOf(file)));
  const named = Map.groupBy(own, (file) => `${file.split("/").slice(0, 2).join("/")}: ${nameOf(file)}`);
  return [...named].filter(([, held]) => held.length > 1).map(([name]) => name);
}

test("no two files of a district have one name", () => {
  expect(homonyms(SOURCE.filter((file) => file.startsWith("src/")))).toEqual([]);
  expect(homonyms(["src/a/x/b.ts", "src/a/y/b.tsx", "src/c/b.ts", "src/a/x/store.ts", "src/a/store.ts"])).toEqual([
    "src/a: b",
  ]);
});

/** What of a page makes a form by hand: an element, the state of one, a field of one. */
const BY_HAND =
  /<form\b|\buseForm\b|<(Text|LongText|Password|Date|Decimal|Select|Check|Many|Several)Field\b|<Combobox\b/;

test("a form is made of specs, and by no page by hand", () => {
  const made = [
    /^src\/web\/parts\/forms\//,
    /^src\/web\/pages\/actions\/action-(form|field)\.tsx$/,
    /^src\/web\/pages\/records\/(record|convertible)-form\.tsx$/,
    // The editor of vesting terms, whose rows are conditions; the models, whose inputs are read by their own codec.
    /^src\/web\/pages\/records\/terms-(form|preview|row)\.tsx$/,
    /^src\/web\/pages\/(models|model-round|model-exit|compare-scenarios)\//,
    // Choices that count at once or go with a file or a download, the search, and the sentence that a holder accepts:
    // nothing of them is sent as a form.
    /^src\/web\/(frame\/search\/search-dialog|pages\/(account\/locale-form|ocf\/export|imports\/wizard|mine\/waiting))\.tsx$/,
  ];
  const isByHand = (text: string, file: string) => file.startsWith("src/web/") && BY_HAND.test(code(text));
  expect(breaking(isByHand, made)).toEqual([]);
  const planted = [
    '<form class="form" onSubmit={submit}>',
    'const form = useForm({ initial: { email: "" }, send, done });',
    "<TextField label={MEMBERS.email} value={email} onInput={setEmail} />",
    "<SelectField {...field} choices={choices} />",
  ];
  expect(planted.filter((text) => isByHand(text, "src/web/pages/settings/invitations.tsx"))).toEqual(planted);
  expect(isByHand("<PlainForm fields={FIELDS} words={WORDS} />", "src/web/pages/join/page.tsx")).toBe(false);
  // A file that makes no form any more is no exception any more.
  const kept = made.filter((each) => [...TEXTS].some(([file, text]) => each.test(file) && isByHand(text, file)));
  expect(kept).toEqual(made);
});

test("a page's root is page.tsx in its folder", () => {
  expect(SOURCE.filter((file) => /^src\/web\/pages\/[^/]+$/.test(file))).toEqual([]);
});

test("the districts' tables bite", () => {
  const found = importsOf(
    "src/ledger/hash.ts",
    'import type { Route } from "../resources/route.ts";\nconst read = () => import("../server/http/edge.ts");\nimport "./store.ts";',
  );
  expect(found).toEqual(["src/resources/route.ts", "src/server/http/edge.ts", "src/ledger/store.ts"]);
  expect(found.map((imported) => forbidden("ledger/hash.ts", imported.slice(4)) !== null)).toEqual([true, true, false]);
  expect(forbidden("ledger/operations/cancel.ts", "storage/database/writer.ts")).not.toBeNull();
  expect(forbidden("ledger/hash.ts", "storage/database/writer.ts")).toBeNull();
  expect(forbidden("views/cap-table/view.ts", "people/members.ts")).toContain("not below");
  expect(forbidden("web/pages/start/page.tsx", "storage/records/member.ts")).not.toBeNull();
  expect(forbidden("unheard-of/new.ts", "kernel/date.ts")).toContain("no district");
});

/** The circles of a graph: each a group whose members reach one another. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const reached = new Map([...graph.keys()].map((from) => [from, reachedFrom(graph, from)] as const));
  const groups = [...graph.keys()].map((from) =>
    [...(reached.get(from) ?? [])].filter((to) => reached.get(to)?.has(from)).sort(),
  );
  return [...new Map(groups.filter((group) => group.length > 0).map((group) => [group.join(), group])).values()];
}

function reachedFrom(graph: ReadonlyMap<string, readonly string[]>, from: string): Set<string> {
  const [seen, open] = [new Set<string>(), [...(graph.get(from) ?? [])]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(graph.get(next) ?? []));
  }
  return seen;
}

test("no imports go in a circle, neither of files nor of rooms, types and lazy ones too", () => {
  expect(circlesOf(IMPORTS)).toEqual([]);
  const roomOf = (file: string) => file.split("/").slice(0, 2).join("/");
  const rooms = new Map<string, string[]>();
  for (const [file, imports] of IMPORTS) {
    // What a migration reads of rooms is as it was when it was written.
    if (!file.startsWith("src/")) continue;
    const others = imports.map(roomOf).filter((room) => room.startsWith("src/") && room !== roomOf(file));
    rooms.set(roomOf(file), [...(rooms.get(roomOf(file)) ?? []), ...others]);
  }
  expect(circlesOf(rooms)).toEqual([]);
});

test("a circle is found", () => {
  const graph = new Map([
    ["a", ["b"]],
    ["b", ["c", "d"]],
    ["c", ["a"]],
    ["d", []],
  ]);
  expect(circlesOf(graph)).toEqual([["a", "b", "c"]]);
});

test("nothing that ships points outside the checkout", () => {
  expect(breaking((text) => /\.\.\/shared|\/work\//.test(text) && !EMBEDDED_TEXT.test(text))).toEqual([]);
});

test("installing runs no package's script, and no package needs one to be of use", async () => {
  const { trustedDependencies, devDependencies } = await Bun.file("package.json").json();
  expect(trustedDependencies).toEqual([]);
  expect(await Bun.file("bun.lock").text()).toContain('"trustedDependencies": [],');
  // Without its script that package is a stub which fails, and which `npx bun` and the scripts here would run.
  expect(devDependencies.bun).toBeUndefined();
});

/** What a text cites that stands in no file of the repository, nor in a standard or a law; empty where it cites none. */
function unknownSources(text: string, has: (name: string) => boolean): string[] {
  // A sentence of a comment goes on in its next line.
  const prose = text.replace(/\n\s*(?:\/\/|\*)?\s*/g, " ");
  const all = (cited: RegExp) => prose.match(cited) ?? [];
  const files = all(/(?<!["\w<{}$*/…-])(?:\.{0,2}\/)*[A-Za-z][\w./-]*\.md\b/g).filter((name) => !has(name));
  return [
    ...files,
    ...all(/\b(?:TRUTH|FIRSTDAY|MODELLING|CORRECTIONS)\b|\bthe specification\b|\bDECISIONS (?:sections? )?\d+/g),
    ...all(
      /\b(?:ACCOUNTS|DASHBOARD|REPORTS|SECURITY|AWARDS|CLOSINGS|CONSENTS|API|HOUSE|RELIABILITY|SPEED|PAGES) \d+\b/g,
    ),
    ...all(/(?<!\b(?:RFC|CFR|IRC|USC|ASC) [\w., -]{0,12})\b[Ss]ections? \d{1,2}(?:\.\d)?\b(?!\(| of the )/g),
  ];
}

test("no comment or document cites what the repository does not have", async () => {
  const documents = ["README.md", "CHANGELOG.md", ...new Glob("{docs,src,test}/**/*.md").scanSync(".")];
  const has = (name: string) => documents.some((path) => `/${path}`.endsWith(`/${name.replace(/^[./]*\//, "")}`));
  const modules = new Glob("{src,cli,migrations,test}/**/*.{ts,tsx}").scanSync(".");
  const files = [...documents, ...modules].filter(
    (file) => !/^test\/(fixtures\/|tidy\.test\.ts$)/.test(file) && !GENERATED.includes(file),
  );
  expect(files.length).toBeGreaterThan(1000);
  const found: string[] = [];
  for (const file of files) {
    const cited = unknownSources(await Bun.file(file).text(), has);
    if (cited.length > 0) found.push(`${file}: ${cited.join(", ")}`);
  }
  expect(found).toEqual([]);

  const cite = (text: string) => unknownSources(text, has);
  expect(cite("/** Ten years (DECISIONS section 17). */")).toEqual(["DECISIONS section 17", "section 17"]);
  expect(cite("// a pool (TRUTH\n// section 1)")).toEqual(["TRUTH", "section 1"]);
  expect(cite(" * as OCF.md and docs/plans.md have it, REPORTS 24")).toEqual(["OCF.md", "docs/plans.md", "REPORTS 24"]);
  expect(cite("it is left out by section 7.1, as the specification has it")).toEqual([
    "the specification",
    "section 7.1",
  ]);
  expect(cite("RFC 9110 section 10.2.3, docs/security.md, section 83(b), Section 409A, OCF 1.2.0")).toEqual([]);
});

/** The words that docs/words.md refuses, since a reader cannot search for what they mean. */
const REFUSED = (await Bun.file("docs/words.md").text())
  .split("\n## Refused\n")[1]
  ?.match(/^\| [a-z][a-z ]+(?= \|)/gm)
  ?.map((row) => row.slice(2))
  .filter((word) => word !== "refused");

/** The emptiness text of the register of stakeholders, which was decided word for word. */
const DECIDED_TEXT = "Nobody is in the register yet.";

/** What a text has of them; a comment goes on in its next line. A constant such as NOBODY is no word. */
function refusedWords(text: string): string[] {
  const either = (REFUSED ?? []).map((word) => `[${word.charAt(0).toUpperCase()}${word.charAt(0)}]${word.slice(1)}`);
  const prose = text.replaceAll(DECIDED_TEXT, "").replace(/\n\s*(?:\/\/|\*|#|--)?\s*/g, " ");
  return prose.match(new RegExp(`\\b(?:${either.join("|")})\\b`, "g")) ?? [];
}

test("comments, messages, pages and documents have none of the words that docs/words.md refuses", async () => {
  const files = new Glob("{src,cli,migrations,test,docs,.ci}/**/*.{ts,tsx,md,css,sol,service}").scanSync({ dot: true });
  const found: string[] = [];
  for (const file of ["README.md", "CHANGELOG.md", ...files]) {
    if (/^(docs\/words\.md|test\/tidy\.test\.ts|test\/fixtures\/.*)$/.test(file) || GENERATED.includes(file)) continue;
    found.push(...refusedWords(await Bun.file(file).text()).map((word) => `${file}: ${word}`));
  }
  expect(found).toEqual([]);
  expect(REFUSED).toEqual(["whoever", "somebody", "nobody", "is none", "told of", "what is there"]);
  expect(refusedWords("// Whoever asks is\n// told of what\n//   is there, and nobody else; asNobody")).toEqual([
    ...["Whoever", "told of", "what is there", "nobody"],
  ]);
  expect(refusedWords(`${DECIDED_TEXT} Nobody is in the register.`)).toEqual(["Nobody"]);
  expect(refusedWords("a null is none; somebody")).toEqual(["is none", "somebody"]);
});

test("the index of the decisions has each with its date, and what they name is there", async () => {
  const index = await Bun.file("docs/decisions/README.md").text();
  const rows = [...index.matchAll(/^\| (\S+) \| \[(.+)\]\((\w+\.md)#.+\) \|$/gm)].map(([, ...cells]) =>
    cells.join(" | "),
  );
  const decided: string[] = [];
  const missing: string[] = [];
  for (const file of new Glob("*.md").scanSync("docs/decisions")) {
    if (file === "README.md") continue;
    const text = await Bun.file(`docs/decisions/${file}`).text();
    for (const [, title = "", date = "undated"] of text.matchAll(/^## (.+)\n(?:\n\*(\d{4}-\d\d-\d\d)\.\*\n)?/gm))
      decided.push(`${date} | ${title} | ${file}`);
    for (const [, path = ""] of text.matchAll(/`((?:src|test|cli|migrations|docs|\.ci)\/[\w./-]+)`/g))
      if (!existsSync(path)) missing.push(`${file}: ${path}`);
  }
  expect(rows.sort()).toEqual(decided.sort());
  expect(decided.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});
