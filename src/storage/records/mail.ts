// The kinds of mail, their states, and the topics that a person may turn off.

/** The kinds of mail. */
export const MAIL_KINDS = [
  "invitation",
  "reset-link",
  "recovery",
  "email-change",
  "operator-reset",
  "security",
  "approval-asked",
  "approval-decided",
  "acceptance-asked",
  "dates",
  "instance",
  "endpoint-disabled",
] as const;

/** A kind of mail. */
export type MailKind = (typeof MAIL_KINDS)[number];

/** The states of a mail. */
export const MAIL_STATES = ["QUEUED", "SENT", "FAILED", "DROPPED"] as const;

/** What a person may turn off: the first three for each organization, the last for the instance. */
export const MAIL_TOPICS = ["approvals", "acceptances", "dates", "instance"] as const;

/** A topic that a person may turn off. */
export type MailTopic = (typeof MAIL_TOPICS)[number];

/** The kinds of each topic; the others are sent in any case. */
export const TOPIC_OF: Readonly<Partial<Record<MailKind, MailTopic>>> = {
  "approval-asked": "approvals",
  "approval-decided": "approvals",
  "acceptance-asked": "acceptances",
  dates: "dates",
  instance: "instance",
};
