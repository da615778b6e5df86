import type { Log } from '#server/platform/runtime/ports.ts'

/** Says nothing. */
export const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
