// A holder as models name him: on record, or by a name alone.
import { HolderLink } from "../../frame/names.tsx";
import { MODELS } from "../../text/models/models.ts";

/** Somebody of a model: a link where he is on record. */
export function ModelHolder({
  stakeholderId,
  name,
}: {
  readonly stakeholderId: string | null;
  readonly name: string | null;
}) {
  if (stakeholderId === null) return <>{name ?? MODELS.unnamed}</>;
  return <HolderLink id={stakeholderId} known={name} />;
}
