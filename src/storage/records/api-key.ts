// The fields of an API key.
import { instant, listOf, oneOf, optional, text } from "../../kernel/fields.ts";

/** The roles of API keys, lowest first; a key may do what its role or a lower one may. */
export const ROLES = ["VIEWER", "EDITOR", "ADMIN"] as const;
export type Role = (typeof ROLES)[number];

/** The scopes that can limit an API key besides its role. Each is separate: no scope includes another. */
export const SCOPES = ["read", "write", "import", "manage-keys"] as const;
export type Scope = (typeof SCOPES)[number];

const SCOPES_OF_ROLE: Readonly<Record<Role | "STAKEHOLDER", readonly Scope[]>> = {
  STAKEHOLDER: ["read"],
  VIEWER: ["read"],
  EDITOR: ["read", "write"],
  ADMIN: SCOPES,
};

/** The most that a key or a member of this role may do. */
export function scopesOfRole(role: Role | "STAKEHOLDER"): readonly Scope[] {
  return SCOPES_OF_ROLE[role];
}

/** Scopes as they are stored: a JSON list in the order of {@link SCOPES}. */
export function storedScopes(scopes: readonly Scope[]): string {
  return JSON.stringify(SCOPES.filter((scope) => scopes.includes(scope)));
}

/** Stored scopes; an unknown scope in a manipulated file allows nothing. */
export function readScopes(stored: string): readonly Scope[] {
  return SCOPES.filter((scope) => stored.includes(`"${scope}"`));
}

/** Which of these scopes the stored ones lack. */
export function lackingScopes(stored: string, needed: readonly Scope[]): readonly Scope[] {
  const held = readScopes(stored);
  return needed.filter((scope) => !held.includes(scope));
}

/** The body of a new API key. */
export const API_KEY_FIELDS = {
  name: text(100, { description: "The key's name." }),
  role: oneOf(ROLES, { description: "What the key may do." }),
  expiresAt: optional(instant({ description: "When the key stops working; later than now. Without it: never." })),
  scopes: optional({
    ...listOf(
      oneOf(SCOPES, {
        description:
          "`read`: what writes nothing. `import`: `/imports` and the import of OCF packages. `manage-keys`: writes of " +
          "API keys, members, invitations and webhook endpoints. `write`: every other write.",
      }),
      {
        description: "What the key is limited to, at most what its role may do. Without it: all of that.",
        "x-extension": true,
      },
    ),
    minItems: 1,
  }),
};
