// A package that was chosen, as the bytes of a zip: a zip as it is, a folder packed here.
import { ZIP_FILES_MAX, zipOf } from "./zip.ts";

/** The most bytes of a package that the API takes. */
export const PACKAGE_BYTES_MAX = 64 * 1024 * 1024;

/** A package to be sent. */
export interface ChosenPackage {
  readonly name: string;
  readonly size: number;
  /** Null where it is too large to be read here. */
  readonly bytes: Blob | null;
}

/** A file of a folder that was chosen: its path begins with the folder's name. */
interface FolderFile extends Blob {
  readonly name: string;
  readonly webkitRelativePath: string;
}

/** A zip as it is. */
export function packageOfZip(file: File): ChosenPackage {
  return { name: file.name, size: file.size, bytes: file.size > PACKAGE_BYTES_MAX ? null : file };
}

/** The JSON files of a folder as a zip, with their paths below the folder; null where it has none. */
export async function packageOfFolder(files: readonly FolderFile[]): Promise<ChosenPackage | null> {
  const used = files.filter(({ name }) => /\.json$/i.test(name));
  const [first] = used;
  if (!first) return null;
  const name = first.webkitRelativePath.split("/")[0] || first.name;
  const size = used.reduce((sum, file) => sum + file.size, 0);
  if (size > PACKAGE_BYTES_MAX || used.length > ZIP_FILES_MAX) return { name, size, bytes: null };
  const pathOf = (file: FolderFile) => file.webkitRelativePath.split("/").slice(1).join("/") || file.name;
  return { name, size, bytes: await zipOf(used.map((file) => [pathOf(file), file])) };
}
