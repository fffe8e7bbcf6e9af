// Link or button that resolves a refusal, such as raising a limit.
import { useOrganization } from "../../frame/page-organization.ts";
import { Button, LinkButton } from "../../parts/button.tsx";
import { ACTION } from "../../text/actions/operation-words.ts";
import type { WayOn as Way } from "./refusals.ts";
import type { Values } from "./spec.ts";
import { addressOf } from "./way-back.ts";

/** The way on. */
export function WayOn({
  way,
  here,
  onChange,
}: {
  readonly way: Way;
  /** The form as it is, to come back to. */
  readonly here: string;
  readonly onChange: (values: Values) => void;
}) {
  const { path } = useOrganization();
  if (way.kind === "ACTION") {
    return (
      <LinkButton href={addressOf(path(`/record/${way.operation}`), way.fields, here)}>
        {ACTION.raise[way.operation]}
      </LinkButton>
    );
  }
  if (way.kind === "RELOAD") return <Button onClick={() => location.assign(here)}>{ACTION.reload}</Button>;
  const { name, value } = way;
  return (
    <Button onClick={() => onChange({ [name]: value })}>
      {name === "earlyExercise" ? ACTION.early : ACTION.use(value)}
    </Button>
  );
}
