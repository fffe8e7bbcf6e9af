// E-mail comparison: the form by which two addresses are the same account.

/** The form of an e-mail address by which accounts are distinguished: NFC, in lower case. */
export function foldEmail(email: string): string {
  return email.normalize("NFC").toLowerCase();
}
