import type { z } from 'zod'
import type { KeyUse } from '#core/accounts/api-keys.ts'
import type { RefusalCode } from '#contract/refusals.ts'

/** Who may make a call: `anyone` (an optional token is read), a logged-in `user`, or a `verified` user. */
export type Who = 'anyone' | 'user' | 'verified'

/**
 * One HTTP call. The same value validates on the server, types the client and produces the OpenAPI page. Paths are
 * relative to `/api`. `reply` describes `data` of the success envelope.
 */
export interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: `/${string}`
  readonly who: Who
  /** The scope that an API key needs to make the call. */
  readonly key: KeyUse
  /** A user whom staff blocked may make the call too, in order to withdraw the money and leave. */
  readonly leaving?: true
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** The body is multipart/form-data. Parts named `fields[label]` are collected into `fields`. */
  readonly multipart?: true
  /** A form body is accepted too, but not read. Only for calls whose path contains all input. */
  readonly bodyIgnored?: true
  /** Maximum bytes of each file in the multipart body (`FileIn`, `FormValueIn`). */
  readonly maxFileBytes?: number
  /** The reply is a file of this type instead of the envelope. */
  readonly file?: string
  readonly reply: z.ZodType
  /** The reply has `meta` when the request asked for a page. */
  readonly paged?: true
  /** Additional facts next to `data`, sent as `meta`. */
  readonly meta?: z.ZodType
  readonly refusals: readonly RefusalCode[]
}

export function defineCall<const C extends Call>(call: C): C {
  return call
}

/** The wire values that a client sends, before the server decodes them. */
export type CallInput<S extends z.ZodType | undefined> = S extends z.ZodType ? z.input<S> : undefined
/** The wire values of one part of a call. Undefined when the call has no such part. */
export type CallPart<C, Part extends 'params' | 'query' | 'body'> =
  C extends Record<Part, infer S extends z.ZodType> ? z.input<S> : undefined
export type CallReply<C extends Call> = z.output<C['reply']>
/** The type of `meta` in a reply: paging facts, unless the call defines another schema. */
export type CallMeta<C> = C extends { readonly meta: infer S extends z.ZodType } ? z.output<S> : PageMeta

/** Paging facts of a list. */
export interface PageMeta {
  page: number
  per_page: number
  total: number
  pages: number
}

/** The body of every successful reply. */
export interface Success<T, Meta = PageMeta> {
  data: T
  message?: string
  meta?: Meta
}

/** The body of every refusal and fault. */
export interface Failure {
  message: string
  code: string
  errors?: Record<string, string[]>
  request_id?: string
}
