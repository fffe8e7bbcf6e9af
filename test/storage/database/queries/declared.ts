// Prints every query that the program declares, as JSON: `bun test/storage/database/queries/declared.ts`. A plugin has
// `sql.ts` note each statement, and each family of variants, when it is declared: the program itself keeps no such list.
import { join } from "node:path";
import { LOGGED, NOUNS } from "../../../../src/storage/database/log/logged-tables.ts";

/** A query; `name` is its file below src/ and its constant, and of a family its arguments too. */
export interface Declared {
  readonly name: string;
  readonly sql: string;
}

type Given = readonly (string | boolean)[];
type Build = (param: (name: string) => unknown, ...given: Given) => { compile(): { readonly sql: string } };

/** A statement has `sql`, a family `build`. */
interface Noted {
  readonly stack: string;
  readonly sql?: () => string;
  readonly build?: Build;
}

const SRC = join(import.meta.dir, "../../../../src");
const SQL = /src\/storage\/database\/sql\.ts$/;
const TABLES = [...new Set([...Object.keys(NOUNS), ...Object.keys(LOGGED)])];
const RECORDS = Object.keys(NOUNS);
/** Those that objects of OCF are records of. */
const OF_OCF = [
  ...["documents", "stock_legends", "stakeholders", "share_classes", "valuations", "equity_plans", "vesting_terms"],
] as const;
/** A column that changes, of tables without deletion: a change of a key would have references looked up. */
const CHANGED: Readonly<Record<string, string>> = {
  ...{
    organizations: "legalName",
    api_keys: "name",
    memberships: "role",
    webhook_endpoints: "url",
    ocf_objects: "mapped",
  },
  // Append-only, by a trigger: no query changes it.
  acceptances: "comments",
};
const each = (...values: readonly string[]): Given[] => values.map((value) => [value]);
const both: readonly Given[] = [[true], [false]];
const starts = ["newest", "before", "after"] as const;
const pages = (...filters: readonly string[]) =>
  filters.flatMap((filter) => starts.map((start): Given => [filter, start]));

/** The variants of each family that are looked at: each value of a closed set, and each filter of a list by itself. */
const VARIANTS: Readonly<Record<string, readonly Given[]>> = {
  "exchange/ocf/export/store.ts live": OF_OCF.flatMap((table): Given[] => [
    [table, true, false],
    [table, false, true],
  ]),
  "exchange/ocf/export/store.ts rowOf": each(...OF_OCF),
  "exchange/ocf/export/store.ts naming": each(
    "stakeholders",
    "share_classes",
    "equity_plans",
    "valuations",
    "securities",
  ),
  "exchange/ocf/export/store.ts every": each("share_classes", "equity_plans"),
  "exchange/ocf/import/store.ts anyWithId": each(...RECORDS),
  "ledger/past/store.ts grantedLater": both,
  "ledger/vested/vesting-view-store.ts securities": both,
  "ledger/writes/open-sums-store.ts sumAt": [
    ...(["openOptions", "openWarrants"] as const).map((column) => ["share_classes", column]),
    ...(["equity_plans", "organizations"] as const).map((table) => [table, "openOptions"]),
  ],
  "ledger/store.ts page": ["", "securityId", "stakeholderId", "type", "otherType", "from", "to"].flatMap((name) =>
    [false, true].map((isOldestFirst): Given => [name, isOldestFirst]),
  ),
  "storage/database/log/logged.ts columnsOf": TABLES.map((table) => [table, "id"]),
  "storage/database/log/logged.ts update": TABLES.map((table) => [table, CHANGED[table] ?? "deletedAt"]),
  "storage/database/log/logged-columns.ts tableInfo": each("securities"),
  "storage/database/records.ts byId": each(...RECORDS),
  "storage/database/records.ts anyById": each(...RECORDS),
  "storage/database/records.ts everyRow": each(...RECORDS),
  "storage/database/records.ts existence": each(...RECORDS),
  "storage/database/records.ts page": [
    ...RECORDS.flatMap((table) => ["", "ids"].flatMap((name) => starts.map((start): Given => [table, name, start]))),
    ...["typeBesideStock", "certificateId", "decidedValuationId"].flatMap((name) =>
      starts.map((start): Given => ["securities", name, start]),
    ),
  ],
  "storage/database/record-json.ts page": pages("", "id", "ids"),
  "storage/database/row-writes.ts insertion": [],
  "storage/database/row-writes.ts change": [["outbox", "state"]],
  "safekeeping/checkpoint/store.ts hashes": each("transactions", "audit_log"),
  "safekeeping/verify/store.ts ownerOfRow": [],
  "safekeeping/verify/log-store.ts record": each(...TABLES),
  "safekeeping/verify/log-store.ts count": each(...TABLES),
  "safekeeping/verify/log-store.ts names": each(...TABLES),
  "safekeeping/verify/people/store.ts rows": each(
    "accounts",
    "passkeys",
    "identities",
    "recovery_codes",
    "calendars",
    "links",
    "sessions",
  ),
  "people/stores/mail-store.ts listMails": both,
  "resources/securities/store.ts numbersOfType": both,
  "resources/stakeholders/store.ts byAddress": each("walletAddress", "custodialAddress"),
  "resources/active-store.ts active": each(
    "stockClassId",
    "equityPlanId",
    "vestingTermsId",
    "approvalId",
    "stakeholderId",
  ),
  "resources/active-store.ts closed": each(
    "stockClassId",
    "equityPlanId",
    "vestingTermsId",
    "approvalId",
    "stakeholderId",
  ),
  "resources/webhook-endpoints/delivery-store.ts listDeliveries": each("", "PENDING", "SUCCEEDED", "FAILED"),
  "resources/audit-log/store.ts page": each("", "resourceType", "resourceId", "from", "to"),
  "resources/organization/store.ts recorded": each(...RECORDS, "transactions", "ocf_objects"),
  "safekeeping/checkpoint/kept-store.ts cosigned": each("ledger", "log"),
  "safekeeping/tree/tree-store.ts hashes": each("transactions", "audit_log"),
  "tokens/jobs/operation-store.ts changing": each("state"),
  "tokens/jobs/operation-store.ts dropping": both,
  "tokens/jobs/operation-store.ts ofSecurity": each("toSecurityId", "fromSecurityId"),
  "tokens/jobs/token-store.ts forgetDifferences": both,
  "tokens/jobs/store.ts listing": both,
};

const noted: Noted[] = [];
Object.assign(globalThis, { noteQuery: (query: Noted) => noted.push(query) });
const NOTE = {
  "    this.#build = buildStatement;\n":
    "globalThis.noteQuery({ stack: new Error().stack, sql: () => this.#compile().sql });",
  "  const known = new Map<string, Statement<A, R>>();\n":
    "globalThis.noteQuery({ stack: new Error().stack, build: buildStatement });",
};

Bun.plugin({
  name: "queries",
  setup(build) {
    build.onLoad({ filter: SQL }, async ({ path }) => {
      let contents = await Bun.file(path).text();
      for (const [line, note] of Object.entries(NOTE)) {
        if (!contents.includes(line)) throw new Error(`sql.ts has no line ${line}`);
        // On the same line, so that the lines of a stack stay those of the file.
        contents = contents.replace(line, `${line.trimEnd()} ${note}\n`);
      }
      return { contents, loader: "ts" };
    });
  },
});

for (const file of [...new Bun.Glob("**/*.ts").scanSync(SRC)].sort()) {
  const text = await Bun.file(join(SRC, file)).text();
  const isStore = /from "[^"]*database\/sql\.ts"|^import \{ sql \} from "kysely"/m.test(text);
  if (!file.startsWith("web/") && !file.endsWith("-thread.ts") && isStore) await import(join(SRC, file));
}
const { Statement } = await import(join(SRC, "storage/database/sql.ts"));

/** The file and constant of a declaration, by the frames of the stack that are not of sql.ts or that alone are. */
async function nameOf({ stack }: Noted): Promise<string> {
  const frames = stack.split("\n").filter((line) => line.includes("/src/"));
  const frame = frames.find((line) => !line.includes("database/sql.ts")) ?? frames.at(-1) ?? "";
  const [, file = "", line = "0"] = /\/src\/(\S+?):(\d+)/.exec(frame) ?? [];
  const lines = (await Bun.file(join(SRC, file)).text()).split("\n").slice(0, Number(line));
  const named = lines.findLast((each) => /(?:const \w+\b.*=|this\.#\w+ =)/.test(each)) ?? "";
  return `${file} ${/const (\w+)|this\.#(\w+)/.exec(named)?.slice(1).find(Boolean) ?? line}`;
}

async function declared(): Promise<Declared[]> {
  const all: Declared[] = [];
  const lacking = new Set<string>();
  // What a variant makes is noted too.
  for (const query of [...noted]) {
    const name = await nameOf(query);
    if (query.sql) all.push({ name, sql: query.sql() });
    else if (VARIANTS[name] === undefined) lacking.add(name);
    for (const given of (query.build && VARIANTS[name]) || []) {
      new Statement((param: (name: string) => unknown) => query.build?.(param, ...given));
      all.push({ name: `${name} (${given.join(", ")})`, sql: noted.pop()?.sql?.() ?? "" });
    }
  }
  if (lacking.size > 0) throw new Error(`no variants of ${[...lacking].join(", ")}`);
  return all;
}

if (import.meta.main) process.stdout.write(JSON.stringify(await declared()));
