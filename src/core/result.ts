/** What a rule or a use case answers: a value, or a refusal the user can hit, named by a stable code. */
export type Result<T, R extends string> = { ok: true; value: T } | Refusal<R>
export type Refusal<R extends string> = { ok: false; refusal: R; params?: RefusalParams; field?: string }
/** Values that the message of a refusal names, e.g. `{ name: 'amount', value: '20.00' }`. */
export type RefusalParams = Readonly<Record<string, string | number>>

export function ok(): { ok: true; value: undefined }
export function ok<T>(value: T): { ok: true; value: T }
export function ok<T>(value?: T) {
  return { ok: true, value }
}

export function refuse<R extends string>(
  refusal: R,
  details: { params?: RefusalParams; field?: string } = {},
): Refusal<R> {
  return { ok: false, refusal, ...details }
}

/** The end of a `switch` over a union: a new member fails to compile wherever someone must think about it. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${String(value)}`)
}

/** A bug that cannot happen. On in production: better to fail before money moves than after. */
export function assert(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${why}`)
}
