import type { Log } from '#server/context.ts'

/** Says nothing. */
export const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
