import type { z } from 'zod'
import type { RefusalCode } from '#contract/refusals.ts'

/** Who may make a call: `anyone` (a token is read when one comes), or a signed-in `user`, or one that is also `verified`. */
export type Who = 'anyone' | 'user' | 'verified'

/**
 * One HTTP call: the same value validates on the server, types the client and writes the OpenAPI page.
 * Paths are relative to `/api`. `reply` describes `data` of the success envelope.
 */
export interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: `/${string}`
  readonly who: Who
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** The body comes as multipart/form-data; parts named `fields[label]` are gathered into `fields`. */
  readonly multipart?: true
  /** The multipart body may have files (`FileIn`, `FormValueIn`), each up to so many bytes. */
  readonly largestFileBytes?: number
  readonly reply: z.ZodType
  /** The reply carries `meta` when the caller asked for a page. */
  readonly paged?: true
  /** Facts that stand beside `data`, as `meta`. */
  readonly meta?: z.ZodType
  readonly refusals: readonly RefusalCode[]
}

export function defineCall<const C extends Call>(call: C): C {
  return call
}

/** What a client sends: wire values, before the server decodes them. */
export type CallInput<S extends z.ZodType | undefined> = S extends z.ZodType ? z.input<S> : undefined
/** The wire values of one part of a call; undefined when it takes none. */
export type CallPart<C, Part extends 'params' | 'query' | 'body'> =
  C extends Record<Part, infer S extends z.ZodType> ? z.input<S> : undefined
export type CallReply<C extends Call> = z.output<C['reply']>
/** What stands beside the answer: the facts of a page, unless the call says what else. */
export type CallMeta<C> = C extends { readonly meta: infer S extends z.ZodType } ? z.output<S> : PageMeta

/** Paging facts of a list call. */
export interface PageMeta {
  page: number
  per_page: number
  total: number
  pages: number
}

/** The body of every success. */
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
