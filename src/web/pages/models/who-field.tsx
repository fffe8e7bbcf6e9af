// Field for a holder: one on record, or a typed name.
import { useEffect, useState } from "preact/hooks";
import { answer } from "../../api/client.ts";
import { useWholeList } from "../../api/list-pages.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Combobox } from "../../parts/forms/combobox.tsx";
import type { FieldProps } from "../../parts/forms/field.tsx";
import { MODELS } from "../../text/models/models.ts";
import { named, nameIn } from "./values.ts";

/** Who is on record. */
export function useHolders() {
  const { api, key } = useOrganization();
  return useWholeList(key("stakeholders", "all"), (query, signal) =>
    answer(api.GET("/api/v1/stakeholders", { params: { query }, signal })),
  );
}

/** The field; its value is an id, or a name as `named` writes it. */
export function WhoField(props: Omit<FieldProps, "hint">) {
  const holders = useHolders();
  const [typed, setTyped] = useState("");
  const known = (holders.data?.items ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }));
  const knownAs = (name: string) => known.filter(({ label }) => label.toLocaleLowerCase() === name.toLocaleLowerCase());
  const name = nameIn(props.value);
  // A name that was typed before the register was there, or that came into it since, means who is on record.
  const meant = name === null ? [] : knownAs(name);
  const own = meant.length === 1 ? meant[0]?.value : undefined;
  useEffect(() => {
    if (own !== undefined) props.onInput(own);
  }, [own]);
  const names = new Set([typed.trim(), name ?? ""].filter((each) => each === name || knownAs(each).length === 0));
  names.delete("");
  const others = [...names].map((each) => ({ value: named(each), label: each, hint: MODELS.notInRegister }));
  return <Combobox {...props} options={[...others, ...known]} onType={setTyped} />;
}
