import type { Log } from '#server/platform/runtime/ports.ts'

/** A log for commands: prints only warnings and errors, to stderr. */
export const troubleLog: Log = {
  debug: () => {},
  info: () => {},
  warn: (facts, message) => console.error(message, facts),
  error: (facts, message) => console.error(message, facts),
}
