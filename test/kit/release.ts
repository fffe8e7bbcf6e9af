/** True in `bun run test:release`, where tests run their large counts. */
export const RELEASE = process.env.CAPTABLE_RELEASE === "1";
