import type { CallMeta, CallPart, CallReply, Success } from '#contract/call.ts'
import type { Calls } from '#contract/calls.ts'
import { CallFailure, failureOf, networkFailure } from '#web/api/call-failure.ts'
import { patienceFor } from '#web/api/patience.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { endSession } from '#web/session/end-session.ts'
import { getSession } from '#web/session/session.ts'

type AnyCall = Calls[keyof Calls]

/** 'POST /user/auth/login' and the like: every call of the contract. */
export type CallRoute = { [K in keyof Calls]: `${Calls[K]['method']} ${Calls[K]['path']}` }[keyof Calls]
export type CallOf<R extends CallRoute> = R extends `${infer M} ${infer P}`
  ? Extract<AnyCall, { method: M; path: P }>
  : never
/** The `data` of a call's answer. */
export type Reply<R extends CallRoute> = CallReply<CallOf<R>>

/** What a call takes: `params` fill its path, `query` its address, `form` goes as multipart, `body` as JSON. */
export type CallArgs<R extends CallRoute> = { signal?: AbortSignal | undefined } & PartOf<R, 'params'> &
  Partial<PartOf<R, 'query'>> &
  (CallOf<R> extends { multipart: true } ? { form: FormParts } : PartOf<R, 'body'>)

type PartOf<R extends CallRoute, Name extends 'params' | 'query' | 'body'> =
  CallPart<CallOf<R>, Name> extends undefined ? unknown : Record<Name, CallPart<CallOf<R>, Name>>

/** Parts of a multipart form; the entries of a record are sent as `name[key]`. */
export type FormParts = Readonly<Record<string, string | number | Blob | Readonly<Record<string, string | Blob>>>>

interface AnyArgs {
  signal?: AbortSignal | undefined
  params?: Readonly<Record<string, string>>
  query?: object
  body?: unknown
  form?: FormParts
}

/**
 * Makes one call of the contract: `call('POST /user/auth/login', { body: { username, password } })`.
 * Sends the language and the token. Throws a `CallFailure`; the `AbortError` of its signal comes through as it is.
 * A GET that is not answered in time fails as the network would. A 401 or 403 while signed in ends the session in this browser.
 */
export async function call<R extends CallRoute>(
  route: R,
  ...args: object extends CallArgs<R> ? [CallArgs<R>?] : [CallArgs<R>]
): Promise<Success<Reply<R>, CallMeta<CallOf<R>>>> {
  const given: AnyArgs = args[0] ?? {}
  const token = getSession()?.token
  const patience = patienceFor(route, given.signal)
  try {
    return await ask<Reply<R>, CallMeta<CallOf<R>>>(route, { ...given, signal: patience.signal }, token)
  } catch (error) {
    if (!(await isConfirmedNow(error))) throw error
    return await ask<Reply<R>, CallMeta<CallOf<R>>>(route, { ...given, signal: patience.signal }, token)
  } finally {
    patience.end()
  }
}

/** Asks the owner of the session to prove who they are; answers whether they did. */
let askConfirmation: () => Promise<boolean> = async () => false

/** Names what asks for a confirmation: it makes calls itself, so it cannot be imported here. */
export function confirmWith(ask: () => Promise<boolean>): void {
  askConfirmation = ask
}

/** What the account guards is asked for once more after its owner has proved who they are. */
async function isConfirmedNow(error: unknown): Promise<boolean> {
  return error instanceof CallFailure && error.code === 'confirmation_needed' && (await askConfirmation())
}

async function ask<T, Meta>(route: CallRoute, args: AnyArgs, token: string | undefined): Promise<Success<T, Meta>> {
  const response = await send(route, args, token)
  if (response.ok) return readSuccess<T, Meta>(response)
  // Only if it is still this session: a slow answer must not end the one that came after it.
  if ((response.status === 401 || response.status === 403) && token && token === getSession()?.token) endSession()
  throw await failureOf(response)
}

async function send(route: CallRoute, args: AnyArgs, token: string | undefined): Promise<Response> {
  const [method = 'GET', path = ''] = route.split(' ')
  const headers: Record<string, string> = { accept: 'application/json', locale: currentLanguage().code }
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`
  const request: RequestInit = { method, headers }
  if (args.signal) request.signal = args.signal
  if (args.form !== undefined) request.body = formData(args.form)
  else if (method !== 'GET') {
    headers['content-type'] = 'application/json'
    request.body = JSON.stringify(args.body ?? {})
  }
  try {
    return await fetch(`/api${addressOf(path, args)}`, request)
  } catch (error) {
    // Given up by the caller, or as a failure of its own that says why.
    if (args.signal?.aborted === true) throw args.signal.reason
    throw networkFailure(error)
  }
}

async function readSuccess<T, Meta>(response: Response): Promise<Success<T, Meta>> {
  try {
    // The contract is what both sides are built from; the server checks its replies, so they are not checked twice.
    return (await response.json()) as Success<T, Meta>
  } catch (error) {
    throw networkFailure(error) // Cut off on the way.
  }
}

function addressOf(path: string, { params = {}, query = {} }: AnyArgs): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  return search.size === 0 ? filled : `${filled}?${search}`
}

function formData(parts: FormParts): FormData {
  const form = new FormData()
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'object' && !(part instanceof Blob)) {
      for (const [key, value] of Object.entries(part)) form.append(`${name}[${key}]`, value)
    } else form.append(name, part instanceof Blob ? part : String(part))
  }
  return form
}
