import type { CallMeta, CallPart, CallReply, Success } from '#contract/call.ts'
import type { Calls } from '#contract/calls.ts'
import { CallFailure, failureOf, networkFailure } from '#web/api/call-failure.ts'
import { timeoutFor } from '#web/api/request-timeout.ts'
import { noteServerReply } from '#web/api/server-reply.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { endSession } from '#web/session/end-session.ts'
import { getSession } from '#web/session/session.ts'

type AnyCall = Calls[keyof Calls]

/** The method and path of every call in the contract, such as 'POST /user/auth/login'. */
export type CallRoute = { [K in keyof Calls]: `${Calls[K]['method']} ${Calls[K]['path']}` }[keyof Calls]
export type CallOf<R extends CallRoute> = R extends `${infer M} ${infer P}`
  ? Extract<AnyCall, { method: M; path: P }>
  : never
/** The `data` of a call's reply. */
export type Reply<R extends CallRoute> = CallReply<CallOf<R>>

/**
 * The arguments of a call: `params` fill its path, `query` its query string, `form` is sent as multipart, `body` as
 * JSON.
 */
export type CallArgs<R extends CallRoute> = { signal?: AbortSignal | undefined } & PartOf<R, 'params'> &
  Partial<PartOf<R, 'query'>> &
  (CallOf<R> extends { multipart: true } ? { form: FormParts } : PartOf<R, 'body'>)

type PartOf<R extends CallRoute, Name extends 'params' | 'query' | 'body'> =
  CallPart<CallOf<R>, Name> extends undefined ? unknown : Record<Name, CallPart<CallOf<R>, Name>>

/** Parts of a multipart form. The entries of a record are sent as `name[key]`. */
export type FormParts = Readonly<Record<string, string | number | Blob | Readonly<Record<string, string | Blob>>>>

interface AnyArgs {
  signal?: AbortSignal | undefined
  params?: Readonly<Record<string, string>>
  query?: object
  body?: unknown
  form?: FormParts
}

/**
 * Makes one call of the contract: `call('POST /user/auth/login', { body: { username, password } })`. Sends the language
 * and the token. Throws a `CallFailure`, or the `AbortError` of its signal. A GET without a reply in time fails as a
 * network failure. A 401 or 403 ends a logged-in user's session in this browser.
 */
export async function call<R extends CallRoute>(
  route: R,
  ...args: object extends CallArgs<R> ? [CallArgs<R>?] : [CallArgs<R>]
): Promise<Success<Reply<R>, CallMeta<CallOf<R>>>> {
  const given: AnyArgs = args[0] ?? {}
  const token = getSession()?.token
  return await confirmedIfNeeded(() => ask<Reply<R>, CallMeta<CallOf<R>>>(route, given, token))
}

/** Makes one call whose reply is a file. Rejects when the file does not arrive whole. */
export async function callFile<R extends CallRoute>(route: R, args: CallArgs<R>): Promise<Blob> {
  const token = getSession()?.token
  return await confirmedIfNeeded(async () => {
    const response = await send(route, args, token)
    if (!response.ok) throw await failed(response, token)
    try {
      return await response.blob()
    } catch (error) {
      throw networkFailure(error)
    }
  })
}

/** Opens the dialog in which users confirm their identity. Resolves to whether they did. */
let askConfirmation: () => Promise<boolean> = async () => false

/** Registers the confirmation dialog. The dialog makes calls itself, so importing it here would be circular. */
export function confirmWith(ask: () => Promise<boolean>): void {
  askConfirmation = ask
}

/** Makes a call. If the server requires a confirmation first, opens the dialog and then repeats the call. */
async function confirmedIfNeeded<T>(make: () => Promise<T>): Promise<T> {
  try {
    return await make()
  } catch (error) {
    const isNeeded = error instanceof CallFailure && error.code === 'confirmation_needed'
    if (!isNeeded || !(await askConfirmation())) throw error
    return await make()
  }
}

async function ask<T, Meta>(route: CallRoute, args: AnyArgs, token: string | undefined): Promise<Success<T, Meta>> {
  const patience = timeoutFor(route, args.signal)
  try {
    const response = await send(route, { ...args, signal: patience.signal }, token)
    if (response.ok) return await readSuccess<T, Meta>(response)
    throw await failed(response, token)
  } finally {
    patience.end()
  }
}

async function failed(response: Response, token: string | undefined): Promise<CallFailure> {
  // A slow reply must not end a newer session, so the tokens are compared.
  if ((response.status === 401 || response.status === 403) && token && token === getSession()?.token) endSession()
  return await failureOf(response)
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
    const response = await fetch(`/api${addressOf(path, args)}`, request)
    noteServerReply()
    return response
  } catch (error) {
    // The caller aborted the request, or the network failed.
    if (args.signal?.aborted === true) throw args.signal.reason
    throw networkFailure(error)
  }
}

async function readSuccess<T, Meta>(response: Response): Promise<Success<T, Meta>> {
  try {
    // Both sides are built from the contract, and the server checks its replies. The browser does not check them again.
    return (await response.json()) as Success<T, Meta>
  } catch (error) {
    throw networkFailure(error) // The connection broke during the reply.
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
