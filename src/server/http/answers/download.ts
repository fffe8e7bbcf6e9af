// Headers of file downloads. A file's name came from a caller, so no part of it may end the header or choose a folder.

const NAME_LENGTH_MAX = 150;
const NOT_PLAIN = /[^\x20-\x7e]|["%\\]/g;

/** `Content-Disposition` of an attachment (RFC 6266): a plain name, and the exact one where it is not plain (RFC 8187). */
export function contentDisposition(fileName: string): string {
  const name = [...(fileName.split(/[/\\]/).at(-1) ?? "").toWellFormed()].slice(0, NAME_LENGTH_MAX).join("");
  const plain = name.replace(NOT_PLAIN, "_");
  const exact = plain === name ? "" : `; filename*=UTF-8''${encodeRest(name)}`;
  return `attachment; filename="${plain || "file"}"${exact}`;
}

/** `encodeURIComponent`, and the characters that it keeps although RFC 8187 does not allow them. */
function encodeRest(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}
