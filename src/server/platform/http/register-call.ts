import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Call, CallMeta, CallReply, Failure, PageMeta } from '#contract/call.ts'
import { allowsKey, isApiKey } from '#core/accounts/api-keys.ts'
import { type Refusal, refuse } from '#core/result.ts'
import type { Authenticate, AuthenticatedUser, Device } from '#server/platform/http/signed-in.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { bearerToken } from '#server/platform/http/bearer.ts'
import { formBudget } from '#server/platform/http/form-budget.ts'
import { readMultipart } from '#server/platform/http/multipart.ts'
import { isLoopbackAddress, isLoopbackHost, isOwnOrigin } from '#server/platform/http/origin.ts'
import { type FileAnswer, sendFile } from '#server/platform/http/paced-file.ts'
import { isTagMatch, PREPARED_TYPE, type PreparedReply, variantFor } from '#server/platform/http/prepared-reply.ts'
import type { TakeCall } from '#server/platform/http/rate-limit.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import type { TakeStrangerCall } from '#server/platform/http/stranger-gate.ts'
import { appWords, type CallInput, readInput } from '#server/platform/http/read-input.ts'
import { type KeyLimits, keyLimitHeaders } from '#server/platform/http/key-limits.ts'
import { type FailureReply, refusalReply } from '#server/platform/http/replies.ts'
import type { Language } from '#server/platform/i18n/messages.ts'

/** Refusals that any call may return before its handler runs. */
export type GeneralRefusal =
  | 'rate_limited'
  | 'foreign_origin'
  | 'not_signed_in'
  | 'not_verified'
  | 'leave_only'
  | 'key_not_allowed'

/** A call as seen by its handler: decoded, and from an authorised caller. */
export interface CallRequest<C extends Call> extends CallInput<C> {
  readonly user: C['who'] extends 'anyone' ? AuthenticatedUser | null : AuthenticatedUser
  readonly language: Language
  readonly from: Caller
}

/** Where a call comes from. */
export interface Caller extends Device {
  /**
   * Whether the call comes from this machine and uses this machine's own host name, without a declared proxy. An
   * undeclared proxy looks the same.
   */
  readonly isLoopback: boolean
  /** Whether `isLoopback` is true and the call has the key that the demo printed at its start. */
  readonly isLocal: boolean
  /** The origin of the calling page, which is a page of this site; undefined without a page. */
  readonly origin: string | undefined
}

export interface Answered<T, Meta = PageMeta> {
  readonly ok: true
  readonly value: T
  readonly message?: string
  readonly meta?: Meta
  /**
   * The cache tag, which is equal for equal replies. Browsers keep the reply and ask with the tag whether it has
   * changed.
   */
  readonly tag?: string
}
/** A reply whose bytes were built earlier. */
export interface PreparedAnswer {
  readonly ok: true
  readonly prepared: PreparedReply
}
export type Answer<C extends Call> =
  | Answered<CallReply<C>, CallMeta<C>>
  | PreparedAnswer
  | FileAnswer
  | Refusal<C['refusals'][number]>
export type Handler<C extends Call> = (request: CallRequest<C>) => Promise<Answer<C>>
/** Registers a call with its handler. */
export type Register = <C extends Call>(call: C, handler: Handler<C>) => void

export interface CallParts {
  readonly ctx: Ctx
  readonly authenticate: Authenticate
  readonly site: { readonly publicUrl: string | null; readonly mode: 'demo' | 'live' }
  readonly language: (request: FastifyRequest) => Language
  readonly takeByAddress: TakeCall
  readonly takeByAccount: TakeCall
  readonly keyLimits: KeyLimits
  readonly takeStrangerCall: TakeStrangerCall
  /** Checks every reply against its contract; for tests. */
  readonly checksReplies: boolean
}

export function createRegister(app: FastifyInstance, parts: CallParts): Register {
  return (call, handler) => {
    app.route({
      method: call.method,
      url: `/api${call.path}`,
      config: { bodyIgnored: call.bodyIgnored === true },
      handler: formBudget.around(async (request, reply) => {
        void reply.header('cache-control', 'no-store')
        const language = parts.language(request)
        const fail = ({ status, headers, body }: FailureReply): Failure => {
          void reply.code(status).headers(headers)
          return body
        }

        const admitted = await admit(call, request, parts)
        if (!admitted.ok) {
          if ('headers' in admitted) void reply.headers(admitted.headers)
          return fail(refusalReply(admitted, language))
        }
        const isForm = call.multipart && request.isMultipart()
        const body = isForm ? await readMultipart(request, call.maxFileBytes) : request.body
        const input = readInput(call, { params: request.params, query: request.query, body }, appWords(language))
        if (!input.ok) return fail({ headers: {}, ...input.unreadable })
        const wait = await parts.takeStrangerCall(
          call,
          { ...callerOf(request), device: textIn(body, 'device'), owner: textIn(body, 'username', 'value', 'email') },
          parts.ctx.now(),
        )
        if (wait > 0) return fail(refusalReply(tooFast(wait), language))

        const answer = await handler({ ...input.value, user: admitted.user, language, from: callerOf(request) })
        if (!answer.ok) return fail(refusalReply(answer, language))
        if ('file' in answer) return sendFile(answer, reply)
        if ('prepared' in answer) return sendPrepared(answer.prepared, request, reply)
        if (parts.checksReplies) check(call, answer)
        const { value: data, message, meta, tag } = answer
        if (tag !== undefined && isNotModified(tag, request, reply)) return reply.code(304).send()
        return { data, ...(message !== undefined && { message }), ...(meta !== undefined && { meta }) }
      }),
    })
  }
}

/** The first of these fields of a body that contains text. */
function textIn(body: unknown, ...names: readonly string[]): string | null {
  const fields = new Map(Object.entries(body ?? {}))
  const texts = names.map((name): unknown => fields.get(name))
  return texts.find((text) => typeof text === 'string') ?? null
}

function check<C extends Call>(call: C, { value, meta }: Answered<CallReply<C>, CallMeta<C>>): void {
  call.reply.parse(value)
  if (meta !== undefined) call.meta?.parse(meta)
}

function sendPrepared(prepared: PreparedReply, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { etag, encoding, body } = variantFor(prepared, headers['accept-encoding'])
  void reply.header('cache-control', prepared.cacheControl).header('etag', etag).header('vary', 'accept-encoding')
  if (isTagMatch(etag, headers['if-none-match'])) return reply.code(304).send()
  if (encoding !== null) void reply.header('content-encoding', encoding)
  return reply.type(PREPARED_TYPE).send(body)
}

/** Sets the reply's cache tag, and returns whether the browser has this version. */
function isNotModified(tag: string, request: FastifyRequest, reply: FastifyReply): boolean {
  void reply.header('cache-control', 'no-cache').header('etag', `"${tag}"`)
  return request.headers['if-none-match']?.includes(`"${tag}"`) === true
}

type Refused = Refusal<GeneralRefusal> & { readonly headers?: Readonly<Record<string, string>> }
type Admitted<C extends Call> = { ok: true; user: CallRequest<C>['user'] } | Refused

/** Decides whether a call may proceed, before its body is parsed. */
async function admit<C extends Call>(call: C, request: FastifyRequest, parts: CallParts): Promise<Admitted<C>> {
  const { ctx, site } = parts
  const wait = parts.takeByAddress(subnetOf(callerOf(request).address), ctx.now())
  if (wait > 0) return tooFast(wait)
  const isChange = call.method !== 'GET'
  if (isChange && !isOwnOrigin(request.headers.origin, request.headers.host, site)) return refuse('foreign_origin')

  const token = bearerToken(request.headers.authorization)
  const user = token === null ? null : await parts.authenticate(token, callerOf(request))
  const keyRefusal = checkKey(call, token, user, parts)
  if (keyRefusal !== null) return keyRefusal
  // A key has its own limit, so that a stolen key cannot use up the calls that its owner needs to end the key.
  const ownWait = user && !user.key ? parts.takeByAccount(user.userId, ctx.now()) : 0
  if (ownWait > 0) return tooFast(ownWait)
  // The user of a leave session counts as a visitor in calls that need no log-in.
  if (user?.isLeaveOnly && call.leaving !== true) return call.who === 'anyone' ? asVisitor<C>() : refuse('leave_only')
  if (user?.isLeaveOnly) return { ok: true, user }
  if (call.who !== 'anyone' && !user) return refuse('not_signed_in')
  if (call.who === 'verified' && user?.verified !== true) return refuse('not_verified')
  // Null is possible only for calls that need no log-in.
  return { ok: true, user: user as CallRequest<C>['user'] }
}

/**
 * Refuses a key that is not in force, that may not make this call, or that calls too fast. A caller with a wrong key
 * does not count as a visitor.
 */
function checkKey(
  call: Call,
  token: string | null,
  user: AuthenticatedUser | null,
  { keyLimits, ctx }: CallParts,
): Refused | null {
  if (token === null || !isApiKey(token)) return null
  if (!user?.key) return refuse('not_signed_in')
  if (call.key === 'never' || !allowsKey(call.key, user.key.scope)) return refuse('key_not_allowed')
  const wait = keyLimits.take(user.key.id, call.key, ctx.now())
  return wait > 0 ? { ...tooFast(wait), headers: keyLimitHeaders(call.key, wait) } : null
}

/** Null is possible only for calls that need no log-in. */
function asVisitor<C extends Call>(): Admitted<C> {
  return { ok: true, user: null as CallRequest<C>['user'] }
}

function tooFast(seconds: number): Refusal<GeneralRefusal> {
  return refuse('rate_limited', { params: { seconds } })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The address that the request is counted by: see `clientAddressReader`. */
    readonly clientAddress: string
    /** The country of the address: see `clientCountryReader`. */
    readonly clientCountry: string | null
  }
}

const FORWARDING_HEADERS = ['forwarded', 'via', 'x-real-ip', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']

export function callerOf(request: FastifyRequest): Caller {
  const isForwarded = FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined)
  // The host must be this machine's own name, because a foreign page may point its own host name at this machine and
  // read local-only data.
  const isLoopback =
    isLoopbackAddress(request.socket.remoteAddress ?? '') && isLoopbackHost(request.headers.host ?? '') && !isForwarded
  return {
    address: request.clientAddress,
    userAgent: request.headers['user-agent'] ?? '',
    // The country is looked up on demand, because most calls need none.
    get country() {
      return request.clientCountry
    },
    origin: request.headers.origin,
    isLoopback,
    isLocal: isLoopback && request.holdsDemoKey,
  }
}
