import type { PageMeta } from '#contract/call.ts'
import type { Answered } from '#server/platform/http/register-call.ts'

/** A success with words for the user, with the facts of a page, or with a tag by which browsers keep it. */
export function answer<T, Meta = PageMeta>(
  value: T,
  details: { message?: string; meta?: Meta; tag?: string } = {},
): Answered<T, Meta> {
  return { ok: true, value, ...details }
}
