// The two ways in which a copy elsewhere fails: it cannot be had, or it is another one.

/** The bucket cannot be reached, or refuses; `code` is the server's own word where it has one. Exit status 1. */
export class OffsiteError extends Error {
  override readonly name = "OffsiteError";
  constructor(
    message: string,
    readonly code: string | null = null,
  ) {
    super(message);
  }
}

/** What lies in the bucket has other bytes than were put there, or a local file than was written. Exit status 4. */
export class OtherBytesError extends Error {
  override readonly name = "OtherBytesError";
}
