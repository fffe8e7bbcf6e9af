// Who made something that counts only while its maker could still make it, and who decided something: kept with the name
// of then, because names change.
import { Type } from "@sinclair/typebox";
import { ACTORS, type Call } from "../../kernel/call.ts";
import { EXTENSION, id, nullable, oneOf } from "../../kernel/fields.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { findKey } from "./store.ts";

/** Who, as it is kept: a person, a key, or what runs on the server's machine. */
export interface Maker {
  readonly actor: Call["actor"];
  readonly accountId: string | null;
  readonly apiKeyId: string | null;
  readonly name: string | null;
}

/** Whoever makes a call, to be kept as JSON. */
export function makerOf(tx: Tx, { orgId, actor, accountId, apiKeyId, actorName }: Call): Maker {
  const key = apiKeyId === null ? null : findKey(tx, orgId, apiKeyId);
  return { actor, accountId, apiKeyId, name: actorName ?? key?.name ?? null };
}

/** A maker as it was kept. */
export function readMaker(text: string): Maker {
  return JSON.parse(text);
}

/** The same in answers. */
export function makerShape(description: string) {
  return Type.Object(
    {
      actor: oneOf(ACTORS),
      accountId: nullable(id({ description: "The person's account." })),
      apiKeyId: nullable(id({ description: "The API key that was used." })),
      name: nullable(Type.String({ description: "What the person, or the key, was called then.", examples: ["Ada"] })),
    },
    { description, ...EXTENSION },
  );
}
