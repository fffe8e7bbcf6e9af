// Links to the forms of classes and plans, for editors.
import { isPage } from "../../frame/navigation.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { LinkButton } from "../../parts/button.tsx";
import { CLASSES } from "../../text/classes.ts";

type Kind = "share-class" | "equity-plan";

/** To the form of a new one. */
export function AddLink({ kind }: { readonly kind: Kind }) {
  const { may, path } = useOrganization();
  if (!may("EDITOR") || !isPage("/new/:record")) return null;
  return <LinkButton href={path(`/new/${kind}`)}>{CLASSES.add[kind]}</LinkButton>;
}

/** To the form of one that there is. */
export function EditLink({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const { may, path } = useOrganization();
  if (!may("EDITOR") || !isPage("/edit/:record/:id")) return null;
  return <LinkButton href={path(`/edit/${kind}/${id}`)}>{CLASSES.edit}</LinkButton>;
}
