import type { PageMeta } from '#contract/call.ts'
import type { Answered } from '#server/http/register-call.ts'

/** A success with words for the user, or with the facts of a page. */
export function answer<T>(value: T, details: { message?: string; meta?: PageMeta } = {}): Answered<T> {
  return { ok: true, value, ...details }
}
