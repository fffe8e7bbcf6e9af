// What keys can be limited to, as the API has it.

/** What a key can be limited to. */
export type Scope = "read" | "write" | "import" | "manage-keys";

/** What a key of each role may do at most. */
export const SCOPES_OF_ROLE: Readonly<Record<"VIEWER" | "EDITOR" | "ADMIN", readonly Scope[]>> = {
  VIEWER: ["read"],
  EDITOR: ["read", "write"],
  ADMIN: ["read", "write", "import", "manage-keys"],
};
