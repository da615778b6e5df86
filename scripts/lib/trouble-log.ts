import type { Log } from '#server/platform/runtime/ports.ts'

/** For commands: only trouble is worth a line, and it goes beside the output. */
export const troubleLog: Log = {
  debug: () => {},
  info: () => {},
  warn: (facts, message) => console.error(message, facts),
  error: (facts, message) => console.error(message, facts),
}
