// The mail server of the settings.
import { readFileSync } from "node:fs";
import { readPrivateFile } from "../../kernel/files/private-file.ts";
import type { FollowSettings } from "../../storage/follow/follower.ts";

/** A mail server, and who sends. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly from: string;
  readonly tls: FollowSettings["mailTls"];
  readonly login: { readonly user: string; readonly pass: string } | null;
  /** More roots, as PEM; null for none. */
  readonly ca: string | null;
}

/** The settings of mail. */
type MailSettings = Pick<
  FollowSettings,
  "mailHost" | "mailFrom" | "mailPort" | "mailTls" | "mailUser" | "mailPasswordFile" | "mailCaFile"
>;

/** The mail server that the settings name, with what its files hold; null without one. Throws what a file's fault is. */
export function mailServerOf(settings: MailSettings): MailServer | null {
  const { mailHost: host, mailFrom: from, mailPort: port, mailTls: tls, mailUser: user } = settings;
  const { mailPasswordFile, mailCaFile } = settings;
  if (host === null || from === null) return null;
  const login = user === null || mailPasswordFile === null ? null : { user, pass: readPrivateFile(mailPasswordFile) };
  return { host, port, from, tls, login, ca: mailCaFile === null ? null : readFileSync(mailCaFile, "utf8") };
}
