import type { PageMeta } from '#contract/call.ts'
import type { Answered } from '#server/platform/http/register-call.ts'

/** Builds a successful reply, optionally with a message for the user, page metadata and a cache tag. */
export function answer<T, Meta = PageMeta>(
  value: T,
  details: { message?: string; meta?: Meta; tag?: string } = {},
): Answered<T, Meta> {
  return { ok: true, value, ...details }
}
