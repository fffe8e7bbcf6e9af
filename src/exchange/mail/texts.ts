// Texts of mails: plain, English, without quantity, price or comment. Pure.
import type { AccountEvent } from "../../storage/database/log/account-events.ts";

/** Subject and words. */
export interface MailText {
  readonly subject: string;
  readonly lines: readonly string[];
}

const until = (instant: string) => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;

/** An invitation into an organization. */
export function invitationText(organization: string, url: string, expiresAt: string): MailText {
  return {
    subject: `Invitation to ${organization}`,
    lines: [
      `You are invited to ${organization} on captable. Open this link to accept:`,
      url,
      `It works once, until ${until(expiresAt)}. If you did not expect it, do nothing.`,
    ],
  };
}

/** A reset link that an administrator or operator made; `validFrom` is when it begins to work, null: at once. */
export function resetText(url: string, expiresAt: string, validFrom: string | null): MailText {
  return {
    subject: "Set a new password",
    lines: [
      "An administrator made a link with which you set a new password:",
      url,
      `It works once, ${validFrom === null ? "" : `from ${until(validFrom)} `}until ${until(expiresAt)}.`,
    ],
  };
}

/** A reset link that the person asked for; null for an operator, who gets none. */
export function recoveryText(url: string | null, expiresAt: string | null): MailText {
  const ignore = "If you did not ask for it, do nothing: your password stays as it is.";
  if (url === null || expiresAt === null) {
    return {
      subject: "Your password",
      lines: [
        "A new password was asked for. Your account operates the server, and such an account is reset on the server's",
        "machine alone: captable members reset",
        ignore,
      ],
    };
  }
  return {
    subject: "Set a new password",
    lines: [
      "A new password was asked for. Open this link to set one:",
      url,
      `It works once, until ${until(expiresAt)}.`,
      ignore,
    ],
  };
}

/** The proof of an address that an account's person asked for. */
export function emailChangeText(url: string, expiresAt: string): MailText {
  return {
    subject: "Confirm your e-mail address",
    lines: [
      "An account on captable asked for this e-mail address. Open this link to confirm it:",
      url,
      `It works once, until ${until(expiresAt)}. If you did not ask for it, do nothing.`,
    ],
  };
}

/** An operator made a reset link; `validFrom` is when it counts, null: at once. */
export function operatorResetText(
  { email, validFrom, isOwn }: { readonly email: string; readonly validFrom: string | null; readonly isOwn: boolean },
  url: string,
): MailText {
  const whose = isOwn ? "your account" : `the account of ${email}`;
  const when =
    validFrom === null
      ? "It counts at once."
      : `It counts from ${until(validFrom)} on, unless an administrator refuses it.`;
  return {
    subject: "An operator made a reset link",
    lines: [`An operator of the server made a link that sets the password of ${whose} anew.`, when, url],
  };
}

const SECURITY: Readonly<Partial<Record<AccountEvent, string>>> = {
  "password-changed": "The password was changed.",
  "password-reset": "A new password was set by a reset link.",
  "email-changed": "The e-mail address was changed.",
  "totp-added": "An authenticator app was added.",
  "totp-removed": "The authenticator app was removed.",
  "passkey-added": "A passkey was added.",
  "passkey-removed": "A passkey was removed.",
  "identity-added": "An identity at the sign-in provider was linked.",
  "identity-removed": "An identity at the sign-in provider was unlinked.",
  "second-factors-removed": "All second factors were removed.",
  "recovery-codes-made": "New recovery codes were made.",
  "recovery-code-used": "A recovery code was used.",
  "sessions-ended": "All sessions were ended by an administrator.",
};

/** A change of the account's security; null for an event that tells of none. */
export function securityText(event: AccountEvent, at: string, url: string): MailText | null {
  const what = SECURITY[event];
  if (what === undefined) return null;
  return {
    subject: "A change of your account",
    lines: [
      `${what} This happened at ${until(at)}.`,
      "If it was not you, tell an administrator at once, and look at",
      url,
    ],
  };
}

/** An approval waits, or was decided. */
export function approvalText(
  { title, state, organization }: { readonly title: string; readonly state: string; readonly organization: string },
  url: string,
): MailText {
  const isAsked = state === "Submitted";
  const subject = isAsked ? `Approval asked for: ${title}` : `${state}: ${title}`;
  const what = isAsked
    ? `An approval of ${organization} waits for a decision:`
    : `An approval of ${organization} is ${state}:`;
  return { subject, lines: [what, title, url] };
}

const DATES_MAX = 100;

/** Dates that are near; `items` are their days and titles. */
export function datesText(
  organization: string,
  items: readonly { readonly date: string; readonly title: string }[],
  url: string,
): MailText {
  const shown = items.slice(0, DATES_MAX).map(({ date, title }) => `${date}  ${title}`);
  const more = items.length > shown.length ? [`and ${items.length - shown.length} more`] : [];
  return {
    subject: `Dates to come at ${organization}`,
    lines: [`Coming up at ${organization}:`, ...shown, ...more, url],
  };
}

/** A fault of the instance, for its operators. */
export function instanceText(what: string, url: string): MailText {
  return { subject: "The server needs attention", lines: [what, url] };
}

/** A security waits for its holder. */
export function acceptanceText(organization: string, certificateId: string | null, url: string): MailText {
  const what = certificateId === null ? "A security" : `Certificate ${certificateId}`;
  return {
    subject: `Waiting for you at ${organization}`,
    lines: [`${what} of ${organization} waits for your acceptance. Read its terms and documents, and accept:`, url],
  };
}

/** An endpoint gets no events any more. */
export function endpointText(organization: string, url: string): MailText {
  return {
    subject: "A webhook endpoint was disabled",
    lines: [`A webhook endpoint of ${organization} did not answer for too long, and gets no events any more.`, url],
  };
}

/** Whether mail works. */
export const TEST_TEXT: MailText = {
  subject: "Mail works",
  lines: ["This mail was sent by captable mail test."],
};
