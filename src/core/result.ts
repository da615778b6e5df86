/** The outcome of a rule or a use case: a value, or a refusal with a stable code. */
export type Result<T, R extends string> = { ok: true; value: T } | Refusal<R>
export type Refusal<R extends string> = {
  ok: false
  refusal: R
  params?: RefusalParams
  field?: string
  /** Further fields with the same refusal, so that a form can mark every wrong field at once. */
  others?: readonly FieldRefusal[]
}
export interface FieldRefusal {
  readonly field: string
  readonly params: RefusalParams
}
/** Values for the message of a refusal, such as `{ name: 'amount', value: '20.00' }`. */
export type RefusalParams = Readonly<Record<string, string | number>>

export function ok(): { ok: true; value: undefined }
export function ok<T>(value: T): { ok: true; value: T }
export function ok<T>(value?: T) {
  return { ok: true, value }
}

export function refuse<R extends string>(
  refusal: R,
  details: { params?: RefusalParams; field?: string; others?: readonly FieldRefusal[] } = {},
): Refusal<R> {
  return { ok: false, refusal, ...details }
}

/** Ends a `switch` over a union, so that a new member fails to compile until it is handled. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${String(value)}`)
}

/**
 * Throws when an invariant is broken. Enabled in production: failing before money moves is better than failing after.
 */
export function assert(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${why}`)
}
