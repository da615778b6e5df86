import type { Log } from '#server/platform/runtime/ports.ts'
import { quiet } from '#test/support/quiet-log.ts'

/** Says only what went wrong. */
export const onlyErrors: Log = { ...quiet, error: console.error }
