// The names of files in a package, which may come from a stranger. Pure.

/** The name with `/` for `\`, or null where it is absolute, climbs out of the package, or is nothing at all. */
export function safeName(raw: string): string | null {
  const name = raw.replaceAll("\\", "/");
  const steps = name.split("/").filter((step) => step !== ".");
  const unsafe = name.startsWith("/") || /^[a-z]:/i.test(name) || name.includes("\0") || steps.includes("..");
  return unsafe || steps.length === 0 || steps.includes("") ? null : steps.join("/");
}
