// A field for somebody: who is on record, or a name that is typed.
import { useState } from "preact/hooks";
import { answer } from "../../api/client.ts";
import { useWholeList } from "../../api/pages.ts";
import { useOrganization } from "../../frame/organization.ts";
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
  const isKnown = (name: string) => known.some(({ label }) => label.toLocaleLowerCase() === name.toLocaleLowerCase());
  const names = new Set([typed.trim(), nameIn(props.value) ?? ""].filter((name) => name !== "" && !isKnown(name)));
  const others = [...names].map((name) => ({ value: named(name), label: name, hint: MODELS.notInRegister }));
  return <Combobox {...props} options={[...others, ...known]} onType={setTyped} />;
}
