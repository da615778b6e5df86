import type { Log } from '#server/context.ts'
import { quiet } from '#testing/quiet-log.ts'

/** Says only what went wrong. */
export const onlyErrors: Log = { ...quiet, error: console.error }
