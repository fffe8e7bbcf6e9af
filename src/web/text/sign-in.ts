// Words of signing in, setting up, joining, and setting a password anew.
export const SIGN_IN = {
  title: "Sign in",
  email: "E-mail",
  password: "Password",
  newPassword: "New password",
  code: "Code",
  codeHint: "Six digits from your app, or a recovery code.",
  codeNeeded: "Enter the code that your app shows as well.",
  recoveryNeeded: "Enter a recovery code as well.",
  passkeyNeeded: "Sign in with your passkey: your account has one. A recovery code does as well.",
  passkeyAlone: "Sign in with your passkey: your account has one.",
  factorLost:
    "Your account has a second factor that cannot be used here. An administrator or whoever runs this server makes a reset link.",
  submit: "Sign in",
  wrong: "E-mail, password or code is wrong.",
  passkey: "Sign in with a passkey",
  provider: (name: string) => `Sign in with ${name}`,
  passkeyFailed: "No passkey was used. Try again, or sign in another way.",
  otherWays: "Other ways to sign in",
  providerProblem: "Signing in with the provider came to nothing",
  goOn: "Go on",
  forgot:
    "Forgotten the password? An administrator of your organization, or whoever runs this server, makes a reset link.",
  needsTls:
    "Signing in needs an encrypted connection. Open this page by https, or on the machine on which the server runs.",
  name: "Your name",
} as const;

/** Why the provider's way came to nothing: by reason, else by the problem's name. */
export const PROVIDER_PROBLEMS: Readonly<Record<string, string>> = {
  "begin-again": "It took too long, or another window began anew. Begin again.",
  refused: "The provider did not sign you in.",
  "email-unverified": "The provider has not verified your e-mail address.",
  "too-old": "The provider did not ask you anew. Sign out there, and try again.",
  "sign-in-failed": "No account here belongs to that person. Accept an invitation first, or link it under Account.",
  "confirmation-required": "Confirm who you are first, and try again.",
  unavailable: "The provider does not answer at the moment.",
};
export const PROVIDER_PROBLEM = "It did not work. Try again, or sign in another way.";

/** What a password may be, as rules that are told while it is typed. */
export const PASSWORD_RULES = {
  label: "A password has",
  length: "12 to 256 characters, whatever they are",
  words: "not mostly your name, your e-mail address or a common password.",
} as const;

export const SET_UP = {
  title: "Set up captable",
  intro: "Make the first account. It runs this server and administers the first organization.",
  key: "Administrator key",
  keyHint: "The content of the file admin.key in the data directory; the server says where when it starts.",
  submit: "Create the account",
  isDone: "This server is set up. Further people come by invitation.",
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
  toSignIn: "I have an account here: sign in",
  toNewAccount: "I have no account yet",
  asOther: (email: string) => `This invitation is for ${email}. Sign out first, then open the link again.`,
  noLink: "This address lacks the invitation. Open the whole link that you were sent.",
  dead: "This invitation does not work",
} as const;

export const RESET = {
  title: "Set a new password",
  checking: "link",
  for: (email: string) => `For ${email}. All sessions of the account end.`,
  submit: "Set the password",
  done: "The password is set. Sign in with it.",
  waits: "An operator made this link. Your organizations may refuse it until",
  waitsWords: "It works from then on. An administrator of your organization may allow it earlier.",
  noLink: "This address lacks the link's secret. Open the whole link that you were sent.",
  dead: "This link does not work",
} as const;
