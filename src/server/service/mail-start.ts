// The mail server of the settings, checked before anything is opened. Whether it answers shows when mail is sent.

import { type MailServer, mailServerOf } from "../../exchange/mail/settings.ts";
import { noteMailTask } from "../../exchange/mail/tasks.ts";
import { KeyFileError } from "../../kernel/files/private-file.ts";
import { isLoopbackHost } from "../../kernel/loopback.ts";
import { findMailUrl } from "../../people/stores/mail-store.ts";
import { type Config, SETTINGS, SettingError, wrongSetting } from "../config.ts";
import type { Writes } from "./writes.ts";

/** Notes in the database whether mail is sent, and the URL that it leads to. */
export async function noteMail({ changes, keys }: Pick<Writes, "changes" | "keys">, url: string | null): Promise<void> {
  if (findMailUrl(keys) === url) return;
  await changes.follow({ name: noteMailTask.taskName, data: { url } });
}

/** The mail server; null if no setting names one. Throws {@link SettingError} if settings are missing or wrong. */
export function configuredMail(config: Config): MailServer | null {
  const { mailHost, mailFrom, mailTls, mailUser, mailPasswordFile, mailCaFile, publicUrl } = config;
  const rest = { mailFrom, mailUser, mailPasswordFile, mailCaFile } as const;
  if (mailHost === null) {
    const [name] = (Object.keys(rest) as (keyof typeof rest)[]).filter((each) => rest[each] !== null);
    if (name === undefined) return null;
    throw new SettingError(
      `${SETTINGS[name].variable} needs ${SETTINGS.mailHost.variable}: no mail is sent without it.`,
    );
  }
  if (mailFrom === null) {
    throw new SettingError(
      `${SETTINGS.mailHost.variable} needs ${SETTINGS.mailFrom.variable}: an address that mail comes from.`,
    );
  }
  if ((mailUser === null) !== (mailPasswordFile === null)) {
    const [user, file] = [SETTINGS.mailUser.variable, SETTINGS.mailPasswordFile.variable];
    throw new SettingError(`${user} and ${file} need each other.`);
  }
  const isHere = isLoopbackHost(mailHost) || mailHost === "::1";
  if (mailTls === "none" && !isHere) throw wrongSetting("mailTls", mailTls);
  if (publicUrl !== null && !publicUrl.startsWith("https:") && !isLoopbackHost(new URL(publicUrl).hostname)) {
    throw wrongSetting(
      "publicUrl",
      publicUrl,
      "an https URL, or one of this machine, where mail is sent: it has links",
    );
  }
  try {
    return mailServerOf(config);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const setting = error instanceof KeyFileError ? SETTINGS.mailPasswordFile : SETTINGS.mailCaFile;
    throw new SettingError(`${setting.variable}: ${error.message}`);
  }
}
