// Authors of records that count only while their author could still create them, and of decisions: stored with the name
// at that time, because names change.
import { Type } from "@sinclair/typebox";
import { ACTORS, type Call } from "../../kernel/call.ts";
import { EXTENSION, id, nullable, oneOf } from "../../kernel/fields.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { findKey } from "./store.ts";

/** The author as stored: a person, a key, or a program on the server's machine. */
export interface Maker {
  readonly actor: Call["actor"];
  readonly accountId: string | null;
  readonly apiKeyId: string | null;
  readonly name: string | null;
}

/** The author of a call, as stored JSON. */
export function makerOf(tx: Tx, { orgId, actor, accountId, apiKeyId, actorName }: Call): Maker {
  const key = apiKeyId === null ? null : findKey(tx, orgId, apiKeyId);
  return { actor, accountId, apiKeyId, name: actorName ?? key?.name ?? null };
}

/** Parses a stored author. */
export function readMaker(text: string): Maker {
  return JSON.parse(text);
}

/** The same in answers. */
export function makerShape(description: string) {
  return Type.Object(
    {
      actor: oneOf(ACTORS, {
        description: "What made it: the API by a key or a person, the command line, or the service's own work.",
      }),
      accountId: nullable(id({ description: "The person's account." })),
      apiKeyId: nullable(id({ description: "The API key that was used." })),
      name: nullable(Type.String({ description: "The person's or key's name at that time.", examples: ["Ada"] })),
    },
    { description, ...EXTENSION },
  );
}
