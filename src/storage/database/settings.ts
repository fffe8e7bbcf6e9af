// Settings that a data directory stores about itself, for instance its environment.
import { build, type Params, type Reader, statement, type Tx } from "./sql.ts";

const byName = statement((param: Params<{ name: string }>) =>
  build.selectFrom("settings").select("value").where("name", "=", param("name")),
);

/** A stored value, or null. */
export function findSetting(db: Reader, name: string): string | null {
  return byName.first(db, { name })?.value ?? null;
}

const store = statement((param: Params<{ name: string; value: string }>) =>
  build
    .insertInto("settings")
    .values({ name: param("name"), value: param("value") })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: param("value") })),
);

/** Stores a value. */
export function storeSetting(tx: Tx, name: string, value: string): void {
  store.run(tx, { name, value });
}
