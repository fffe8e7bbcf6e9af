// Texts of sign-in, on its page and in dialogs over others.
export const SIGN_IN = {
  title: "Sign in",
  email: "E-mail",
  password: "Password",
  code: "Code",
  codeHint: "Six digits from your app, or a recovery code.",
  codeNeeded: "Also enter the code from your app.",
  recoveryNeeded: "Also enter a recovery code.",
  passkeyNeeded: "Your account has a passkey. Sign in with it, or enter a recovery code.",
  passkeyAlone: "Your account has a passkey. Sign in with it.",
  factorLost:
    "Your second factor cannot be used at this address. Ask an administrator or the server's operator for a reset link.",
  submit: "Sign in",
  wrong: "E-mail, password or code is wrong.",
  passkey: "Sign in with a passkey",
  provider: (name: string) => `Sign in with ${name}`,
  passkeyFailed: "No passkey was used. Try again, or sign in another way.",
  otherWays: "Other ways to sign in",
  needsTls:
    "Sign-in needs an encrypted connection. Open this page over HTTPS, or on the computer that runs the server.",
} as const;
