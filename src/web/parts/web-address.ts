/** Whether an address of a file may be a link: http or https. `javascript:` would run here, with the reader's session. */
export function isWebAddress(uri: string): boolean {
  return /^https?:\/\//i.test(uri);
}
