import type { Log } from '#server/platform/runtime/ports.ts'
import { quiet } from '#test/support/quiet-log.ts'

/** Logs errors only. */
export const onlyErrors: Log = { ...quiet, error: console.error }
