// Where a data directory remembers that it was backed up.

/** The setting that holds the time of the last backup, as milliseconds since the epoch. */
export const LAST_BACKUP = "lastBackupMs";
