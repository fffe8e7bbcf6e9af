// Texts of the pages for signed-out visitors: set-up, invitations, password resets, and failed sign-ins with the provider.

/** Why sign-in with the provider failed: by reason, else by the problem's slug. */
export const PROVIDER_PROBLEMS: Readonly<Record<string, string>> = {
  "begin-again": "The sign-in took too long, or another window replaced it. Start again.",
  refused: "The provider did not sign you in.",
  "email-unverified": "The provider has not verified your e-mail address.",
  "too-old": "The provider reused an old sign-in. Sign out there, then try again.",
  "sign-in-failed": "No account here is linked to that identity. Accept an invitation first, or link it under Account.",
  "confirmation-required": "Confirm your identity first, then try again.",
  unavailable: "The provider is not responding.",
};
export const PROVIDER_PROBLEM = "Sign-in failed. Try again, or sign in another way.";

export const SIGNED_OUT = {
  providerProblem: "Sign-in with the provider failed",
  goOn: "Continue",
  forgot:
    "Forgot your password? Ask an administrator of your organization, or the server's operator, for a reset link.",
  recover: "Forgot your password?",
  name: "Your name",
  newPassword: "New password",
} as const;

/** Rules of a password, checked while it is typed. */
export const PASSWORD_RULES = {
  label: "A password has",
  length: "12 to 256 characters of any kind",
  words: "more than your name, your e-mail address or a common password.",
} as const;

export const SET_UP = {
  title: "Set up captable",
  intro: "Create the first account. It operates this server and administers the first organization.",
  key: "Administrator key",
  keyHint: "The content of admin.key in the data directory. The server prints its path when it starts.",
  submit: "Create the account",
  isDone: "This server is set up. More people join by invitation.",
  toSignIn: "Go to sign in",
} as const;

export const JOIN = {
  title: "Join",
  checking: "invitation",
  invited: (organization: string) => `${organization} invites you.`,
  as: (role: string) => `Your role: ${role}.`,
  submit: "Accept and create the account",
  accept: "Accept the invitation",
  byProvider: (name: string) => `Accept with ${name}`,
  signInFirst: (email: string) => `Sign in with the account of ${email} to accept.`,
  toSignIn: "I have an account",
  toNewAccount: "I am new here",
  asOther: (email: string) => `This invitation is for ${email}. Sign out first, then open the link again.`,
  noLink: "The link is incomplete. Open the whole link from your invitation.",
  dead: "This invitation does not work",
} as const;

export const RESET = {
  title: "Set a new password",
  checking: "link",
  for: (email: string) => `For ${email}. This ends all sessions of the account.`,
  submit: "Set the password",
  done: "The password is set. Sign in with it.",
  waits: "An operator created this link. Your organizations can refuse it until",
  waitsWords: "After that it works. An administrator of your organization can allow it earlier.",
  noLink: "The link is incomplete. Open the whole link that you received.",
  dead: "This link does not work",
} as const;

export const RECOVER = {
  title: "Forgot your password?",
  words: "Enter the e-mail address of your account. A link to set a new password is sent to it.",
  submit: "Send the link",
  asked: "If an account has this address, a link is on its way. It works once, for one hour.",
} as const;

export const CONFIRM_EMAIL = {
  title: "Confirm your e-mail address",
  words: (email: string) => `From then on, sign in with ${email}.`,
  submit: "Confirm the address",
  done: "The address is confirmed.",
} as const;
