// Name of a holder in a model: a link if the holder is on record, else the typed name.
import { HolderLink } from "../../frame/names.tsx";
import { MODELS } from "../../text/models/models.ts";

/** A holder of a model, as a link if on record. */
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
