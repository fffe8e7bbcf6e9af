// The setting that records a data directory's last backup.

/** The setting that holds the time of the last backup, as milliseconds since the epoch. */
export const LAST_BACKUP = "lastBackupMs";
