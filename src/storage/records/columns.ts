// Column types of records, derived from the types of bodies. Types only.
import type { Static, TProperties, TSchema } from "@sinclair/typebox";

/** 0 or 1: SQLite's booleans. */
export type Bit = 0 | 1;
/** JSON text. */
export type Json = string;

type Column<V> = V extends null | string | number ? V : V extends boolean ? Bit : Json;
type ColumnOf<S extends TSchema> = Column<Exclude<Static<S>, undefined>>;

/** The columns of a create body's members, each under the member's name; null where it may be unset. */
export type ColumnsOf<F extends TProperties> = { readonly [N in keyof F]: ColumnOf<F[N]> };
