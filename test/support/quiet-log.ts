import type { Log } from '#server/platform/context/context.ts'

/** Says nothing. */
export const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
