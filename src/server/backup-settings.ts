// The settings of scheduled backups, and of their copies elsewhere: rows of the table of settings.
import {
  anyText,
  bucketName,
  issuerUrl,
  objectPrefix,
  regionName,
  setting,
  wholeNumber,
  word,
} from "./setting-values.ts";

/** The settings of backups and their copies. */
export const BACKUP_SETTINGS = {
  backupDir: setting({
    variable: "CAPTABLE_BACKUP_DIR",
    default: null,
    allowed: "a folder",
    doc: "the folder for scheduled backups, best on another disk; without it, the server writes none",
    parse: anyText,
  }),
  backupEveryHours: setting({
    variable: "CAPTABLE_BACKUP_EVERY_HOURS",
    default: "24",
    allowed: "a number from 1 to 8760",
    doc: "the hours from one scheduled backup to the next",
    parse: wholeNumber(1, 8760),
  }),
  backupKeep: setting({
    variable: "CAPTABLE_BACKUP_KEEP",
    default: "14",
    allowed: "a number from 1 to 100000",
    doc: "how many scheduled backups are kept; the oldest are deleted",
    parse: wholeNumber(1, 100_000),
  }),
  backupRecipients: setting({
    variable: "CAPTABLE_BACKUP_RECIPIENTS",
    default: null,
    allowed: "up to 20 age public keys (age1…, or age1pq1… alone) with commas between them",
    doc: "age public keys, with commas: scheduled backups are encrypted for them, and the server cannot open them",
    parse: anyText,
  }),
  offsiteBucket: setting({
    variable: "CAPTABLE_OFFSITE_BUCKET",
    default: null,
    allowed: "the name of a bucket: 3 to 63 letters, digits, dots, - and _",
    doc: "a bucket (S3) to which each scheduled backup is copied; needs backup folder, recipients and the key file",
    parse: bucketName,
  }),
  offsiteEndpoint: setting({
    variable: "CAPTABLE_OFFSITE_ENDPOINT",
    default: null,
    allowed: "an https URL, or an http one of this machine",
    doc: "the URL of the bucket's server; default AWS's in the region",
    parse: issuerUrl,
  }),
  offsiteRegion: setting({
    variable: "CAPTABLE_OFFSITE_REGION",
    default: "us-east-1",
    allowed: "a region: letters, digits and -",
    doc: "the bucket's region, as its server calls it",
    parse: regionName,
  }),
  offsitePrefix: setting({
    variable: "CAPTABLE_OFFSITE_PREFIX",
    default: "captable/",
    allowed: "up to 200 of a-z, A-Z, 0-9, _, -, ., and / within",
    doc: "what the names of the copies begin with",
    parse: objectPrefix,
  }),
  offsiteStyle: setting({
    variable: "CAPTABLE_OFFSITE_STYLE",
    default: "path",
    allowed: "path or host",
    doc: "where the bucket's name stands: in the path, or in the host",
    parse: word("path", "host"),
  }),
  offsiteKeyFile: setting({
    variable: "CAPTABLE_OFFSITE_KEY_FILE",
    default: null,
    allowed: "a file",
    doc: "two lines, the id of the bucket's key and its secret; readable by its owner only",
    parse: anyText,
  }),
  offsiteKeep: setting({
    variable: "CAPTABLE_OFFSITE_KEEP",
    default: "30",
    allowed: "a number from 1 to 100000",
    doc: "how many copies are kept in the bucket; the oldest are removed",
    parse: wholeNumber(1, 100_000),
  }),
} as const;
