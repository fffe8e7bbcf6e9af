// Chosen columns of a list, stored in the browser by the list's name. No cell is stored.
import { useState } from "preact/hooks";
import type { MenuGroup } from "../../parts/menu.tsx";
import type { Column } from "../../parts/tables/table.tsx";

const keyOf = (list: string) => `columns ${list}`;

function keptOf(list: string): readonly string[] {
  return localStorage.getItem(keyOf(list))?.split(" ") ?? [];
}

/** The columns that are shown, and the menu's group that chooses them. The first one names the row, and always shows. */
export function useColumns<T>(list: string, columns: readonly Column<T>[]) {
  const [hidden, setHidden] = useState(() => keptOf(list));
  const isShown = ({ id }: Column<T>, at: number) => at === 0 || !hidden.includes(id);
  const choose = (ids: readonly string[]) => {
    if (ids.length === 0) localStorage.removeItem(keyOf(list));
    else localStorage.setItem(keyOf(list), ids.join(" "));
    setHidden(ids);
  };
  const group: MenuGroup = {
    items: columns.slice(1).map(({ id, name, label }) => ({
      label: name ?? String(label),
      isSwitched: !hidden.includes(id),
      onChoose: () => choose(hidden.includes(id) ? hidden.filter((each) => each !== id) : [...hidden, id]),
    })),
  };
  return { shown: columns.filter(isShown), group };
}
