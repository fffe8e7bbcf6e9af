// Whose company it is, and which money (TRUTH section 9): the id of the first issuer that an import brought, and the
// currency of each class and security, as the kept originals of imports say them. What has no original stays without
// one, and is shown with the organization's: the currency of most amounts that were imported. The log tells every value.
import { sql } from "kysely";
import { isCurrency } from "../src/kernel/currency.ts";
import { countCurrencies, mainCurrency } from "../src/ocf/codec/currencies.ts";
import { currencyOfIssuance } from "../src/ocf/codec/issuance.ts";
import { currencyOfClass } from "../src/ocf/codec/stock-class.ts";
import { objectType } from "../src/ocf/schemas/registry.ts";
import { type Db, LogChain, rowsOf, run } from "./log-chain.ts";

const STATEMENTS: readonly string[] = [
  "ALTER TABLE organizations ADD COLUMN currency TEXT",
  "ALTER TABLE organizations ADD COLUMN ocfIssuerId TEXT",
  "ALTER TABLE share_classes ADD COLUMN currency TEXT",
  "ALTER TABLE securities ADD COLUMN currency TEXT",
];

/** Adds the columns and fills them from what imports kept. */
export async function up(db: Db): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  for (const { id } of await run<{ id: string }>(db, "SELECT id FROM organizations ORDER BY seq")) await fill(db, id);
}

const NOUNS = { organizations: "organization", share_classes: "share class", securities: "security" } as const;

async function fill(db: Db, orgId: string): Promise<void> {
  const chain = await LogChain.open(db, orgId);
  const set = async (table: keyof typeof NOUNS, id: string, column: string, value: string) => {
    const owner = table === "organizations" ? "id" : "orgId";
    await run(db, `UPDATE ${table} SET ${column} = ? WHERE ${owner} = ? AND id = ?`, [value, orgId, id]);
    await chain.note("migrated", NOUNS[table], id, { [column]: value }, { [column]: null });
  };
  const counts = new Map<string, number>();
  let issuerId: string | null = null;
  for await (const original of rowsOf(db, "ocf_objects", orgId)) {
    if (original.objectType === "ISSUER") issuerId ??= String(original.id);
    const raw = String(original.raw);
    if (!raw.includes('"currency"')) continue;
    const value = JSON.parse(raw);
    countCurrencies(value, counts);
    if (original.recordId === null) continue;
    const { family, action } = objectType(original.objectType) ?? { family: null, action: null };
    const isIssuance = family !== null && action === "ISSUANCE";
    const currency = isIssuance ? currencyOfIssuance(family, value) : null;
    if (currency !== null) await set("securities", String(original.recordId), "currency", currency);
    const ofClass = original.objectType === "STOCK_CLASS" ? currencyOfClass(value) : null;
    if (ofClass !== null) await set("share_classes", String(original.recordId), "currency", ofClass);
  }
  const main = mainCurrency(counts);
  if (main !== null && isCurrency(main)) await set("organizations", orgId, "currency", main);
  if (issuerId !== null) await set("organizations", orgId, "ocfIssuerId", issuerId);
  await chain.flush();
}
