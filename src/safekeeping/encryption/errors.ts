// The two ways in which an encrypted file cannot be used: the wrong key for it, or wrong bytes.

/** A recipient, an identity or a passphrase cannot be used, or does not fit the file: exit status 2. */
export class EncryptionKeyError extends Error {
  override readonly name = "EncryptionKeyError";
}

/** An encrypted file was changed or cut: exit status 4. */
export class EncryptedFileDamagedError extends Error {
  override readonly name = "EncryptedFileDamagedError";
}
