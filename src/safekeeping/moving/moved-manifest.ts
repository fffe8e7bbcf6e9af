// The manifest of the file of one organization: what a person or another instance can know of it without opening the
// database in it.
import { type Static, Type } from "@sinclair/typebox";
import { findFaults } from "../../kernel/check.ts";
import { BackupDamagedError, ORGANIZATION_FORMAT } from "../backup/format.ts";

/** The only file of the archive. */
export const ORGANIZATION_FILE = "organization.db";
const FORMAT_VERSION = 1;

const Head = Type.Object({ sequence: Type.Integer({ minimum: 0 }), hash: Type.String({ pattern: "^[0-9a-f]{64}$" }) });

const ManifestShape = Type.Object({
  format: Type.Literal(ORGANIZATION_FORMAT),
  formatVersion: Type.Integer(),
  createdAt: Type.String(),
  /** The version of the program that wrote it. */
  program: Type.String(),
  environment: Type.String(),
  /** Whether the organization was closed where it comes from; otherwise it goes on there, and this is a copy. */
  closed: Type.Boolean(),
  /** Whether its keys may work where it arrives. */
  withKeys: Type.Boolean(),
  organization: Type.Object({
    orgId: Type.String(),
    legalName: Type.String(),
    entries: Type.Integer({ minimum: 0 }),
    head: Head,
    log: Head,
  }),
  /** The rows of each table. */
  counts: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  /** Its members. */
  people: Type.Array(
    Type.Object({
      accountId: Type.String(),
      name: Type.String(),
      email: Type.String(),
      role: Type.String(),
      stakeholderIds: Type.Array(Type.String()),
    }),
  ),
  /** Tokens that go on obeying the operator's key of the instance that it comes from. */
  tokensLeftBehind: Type.Array(
    Type.Object({ stockClassId: Type.String(), className: Type.String(), tokenAddress: Type.String() }),
  ),
  files: Type.Array(
    Type.Object({
      name: Type.Literal(ORGANIZATION_FILE),
      bytes: Type.Integer({ minimum: 1 }),
      sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    }),
    { minItems: 1, maxItems: 1 },
  ),
  /** Its checkpoint, as a signed note. */
  notes: Type.Array(Type.String(), { minItems: 1, maxItems: 1 }),
  /** The public key that signed the canonical JSON of all other members, and the signature in base64: never missing. */
  signature: Type.Object({ key: Type.String(), value: Type.String() }),
});

/** The manifest. */
export type MovedManifest = Static<typeof ManifestShape>;

/** A manifest that has yet to be signed. */
export type UnsignedManifest = Omit<MovedManifest, "signature">;

/** Makes the manifest from its parts. */
export function makeMovedManifest(parts: Omit<UnsignedManifest, "format" | "formatVersion">): UnsignedManifest {
  return { format: ORGANIZATION_FORMAT, formatVersion: FORMAT_VERSION, ...parts };
}

/** The manifest that a JSON value is. Throws {@link BackupDamagedError} for another. */
export function knownMovedManifest(value: unknown): MovedManifest {
  if (findFaults(ManifestShape, value).length > 0) {
    throw new BackupDamagedError("this is not an organization that captable exported");
  }
  const known = value as MovedManifest;
  if (known.formatVersion > FORMAT_VERSION) {
    throw new BackupDamagedError(`the file was made by a newer captable (${known.program})`);
  }
  return known;
}
