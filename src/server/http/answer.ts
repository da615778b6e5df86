import type { PageMeta } from '#contract/call.ts'
import type { Answered } from '#server/http/register-call.ts'

/** A success with words for the user, with the facts of a page, or with a tag by which browsers keep it. */
export function answer<T>(value: T, details: { message?: string; meta?: PageMeta; tag?: string } = {}): Answered<T> {
  return { ok: true, value, ...details }
}
