// Triggers that count the bytes that an organization stores, whichever program writes.

/** The column whose bytes count, by table. */
const STORED = { document_contents: "content", import_pieces: "content", ocf_objects: "raw" } as const;

/** The statements, in order. */
export const STORAGE: readonly string[] = Object.entries(STORED).flatMap(([table, column]) => {
  const trigger = (verb: string, event: string, row: "NEW" | "OLD", change: string) =>
    `CREATE TRIGGER ${table}_bytes_${verb} AFTER ${event} ON ${table} BEGIN
      UPDATE organizations SET storedBytes = storedBytes + ${change} WHERE id = ${row}.orgId; END`;
  const [added, removed] = [`(octet_length(NEW.${column}))`, `(octet_length(OLD.${column}))`];
  return [
    trigger("added", "INSERT", "NEW", added),
    trigger("removed", "DELETE", "OLD", `-${removed}`),
    trigger("changed", `UPDATE OF ${column}`, "NEW", `${added} - ${removed}`),
  ];
});
