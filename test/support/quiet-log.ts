import type { Log } from '#server/platform/runtime/ports.ts'

/** A log that writes nothing. */
export const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
