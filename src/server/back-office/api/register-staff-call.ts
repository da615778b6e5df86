import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Failure } from '#contract/call.ts'
import { areaOf, type StaffCall, UNATTENDED_HEADER } from '#contract/back-office/staff-call.ts'
import { isApiKey } from '#core/accounts/api-keys.ts'
import { type Refusal, refuse } from '#core/result.ts'
import { REINVITED_HOURS } from '#core/staff/change-kinds.ts'
import { waitMs } from '#core/staff/independence.ts'
import { type Instant, instant, minuteText } from '#core/time/instant.ts'
import { isAllowed } from '#core/staff/permissions.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { formBudget } from '#server/platform/http/form-budget.ts'
import { bearerToken } from '#server/platform/http/bearer.ts'
import { readMultipart } from '#server/platform/http/multipart.ts'
import { isOwnOrigin } from '#server/platform/http/origin.ts'
import type { TakeCall } from '#server/platform/http/rate-limit.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import type { TakeStrangerCall } from '#server/platform/http/stranger-gate.ts'
import { type CallInput, readInput } from '#server/platform/http/read-input.ts'
import { type Caller, callerOf } from '#server/platform/http/register-call.ts'
import type { FailureReply } from '#server/platform/http/replies.ts'
import { expectRecorded } from '#server/audit/assert-recorded.ts'
import { type AnyRefusal, STAFF_WORDS, staffRefusalReply } from '#server/back-office/api/staff-replies.ts'
import {
  clearSessionCookie,
  deviceCookie,
  sessionCookie,
  setDeviceCookie,
  setSessionCookie,
} from '#server/back-office/staff-sessions/session-cookie.ts'
import type { AuthenticateStaff } from '#server/back-office/staff-sessions/authenticate-staff.ts'
import type { SignedInStaff } from '#server/back-office/staff-sessions/staff-sessions.queries.ts'

/** A parsed call of the back office by a staff member with the required permission. */
export interface StaffRequest<C extends StaffCall> extends CallInput<C> {
  readonly staff: C['may'] extends 'anyone' ? SignedInStaff | null : SignedInStaff
  /** The staff member and the action for the audit log. The call's path names the action. */
  readonly actor: Actor
  readonly from: Caller
  /** The device token from the cookie, if a staff member has logged in with this device before. */
  readonly device: string | null
}

export type StaffAnswer<C extends StaffCall> =
  | {
      readonly ok: true
      readonly value: z.output<C['reply']>
      /** A token sets the session cookie, null deletes it. */
      readonly session?: string | null
      /** The device token to store in a cookie. */
      readonly device?: string
    }
  | Refusal<C['refusals'][number]>
export type StaffHandler<C extends StaffCall> = (request: StaffRequest<C>) => Promise<StaffAnswer<C>>
/** Registers a call of the back office. */
export type RegisterStaff = <C extends StaffCall>(call: C, handler: StaffHandler<C>) => void

export interface StaffCallParts {
  readonly ctx: Ctx
  readonly authenticate: AuthenticateStaff
  readonly site: { readonly publicUrl: string | null; readonly mode: 'demo' | 'live' }
  readonly takeByAddress: TakeCall
  readonly takeStrangerCall: TakeStrangerCall
  readonly checksReplies: boolean
}

export function createRegisterStaff(app: FastifyInstance, parts: StaffCallParts): RegisterStaff {
  return (call, handler) => {
    app.route({
      method: call.method,
      url: `/api${call.path}`,
      handler: formBudget.around(async (request, reply) => {
        void reply.header('cache-control', 'no-store')
        const fail = ({ status, headers, body }: FailureReply): Failure => {
          void reply.code(status).headers(headers)
          return body
        }
        if (isApiKey(bearerToken(request.headers.authorization) ?? ''))
          return fail(staffRefusalReply(refuse('key_not_allowed')))
        const admitted = await admitStaff(call, request, parts)
        if (!admitted.ok) return fail(staffRefusalReply(admitted))
        const { staff } = admitted
        const isForm = call.multipart && request.isMultipart()
        const body = isForm ? await readMultipart(request, call.maxFileBytes) : request.body
        const input = readInput(call, { params: request.params, query: request.query, body }, STAFF_WORDS)
        if (!input.ok) return fail({ headers: {}, ...input.unreadable })

        const from = callerOf(request)
        const device = deviceCookie(request)
        const wait = await parts.takeStrangerCall(call, { ...from, device, owner: null }, parts.ctx.now())
        if (wait > 0) return fail(staffRefusalReply(refuse('rate_limited', { params: { seconds: wait } })))
        const actor = actorOf(call, staff, request)
        const answer = await handler({
          ...input.value,
          staff: staff as StaffRequest<typeof call>['staff'],
          actor,
          from,
          device,
        })
        if (!answer.ok) return fail(staffRefusalReply(answer))
        if (parts.checksReplies) {
          call.reply.parse(answer.value)
          await expectRecorded(parts.ctx.db, call, request.id)
        }
        if (answer.session === null) clearSessionCookie(reply, parts.site)
        else if (answer.session !== undefined) setSessionCookie(reply, parts.site, answer.session)
        if (answer.device !== undefined) setDeviceCookie(reply, parts.site, answer.device)
        // Open pages of other staff members reload after a change.
        if (call.method !== 'GET' && staff) parts.ctx.publish({ kind: 'back-office-changed', area: areaOf(call) })
        return { data: answer.value }
      }),
    })
  }
}

function actorOf(call: StaffCall, staff: SignedInStaff | null, request: FastifyRequest): Actor {
  const what = call.path.slice('/admin/'.length)
  const from = { requestId: request.id, address: callerOf(request).address }
  return staff ? { who: staff.name, what, staffId: staff.staffId, ...from } : { who: '', what, ...from }
}

type AdmitRefusal = Extract<
  AnyRefusal,
  'rate_limited' | 'foreign_origin' | 'staff_sign_in_needed' | 'not_allowed' | 'change_pending'
>

/**
 * Checks the session and permission before any other part of the request is read. Everything not allowed is refused.
 */
export async function admitStaff(
  call: Pick<StaffCall, 'method' | 'may' | 'path'>,
  request: FastifyRequest,
  { ctx, authenticate, site, takeByAddress }: StaffCallParts,
): Promise<{ ok: true; staff: SignedInStaff | null } | Refusal<AdmitRefusal>> {
  const wait = takeByAddress(subnetOf(callerOf(request).address), ctx.now())
  if (wait > 0) return refuse('rate_limited', { params: { seconds: wait } })
  const isChange = call.method !== 'GET'
  if (isChange && !isOwnOrigin(request.headers.origin, request.headers.host, site)) return refuse('foreign_origin')
  const token = sessionCookie(request)
  const staff =
    token === null ? null : await authenticate(token, { isUnattended: request.headers[UNATTENDED_HEADER] === '1' })
  if (call.may === 'anyone') return { ok: true, staff }
  if (!staff) return refuse('staff_sign_in_needed')
  if (call.may !== 'staff' && !isAllowed(staff.role, call.may)) return refuse('not_allowed')
  const looksUntil = lookingUntil(staff, site.mode)
  if (isChange && !isOwnSession(call.path) && ctx.now() < looksUntil)
    return refuse('change_pending', { params: { until: minuteText(looksUntil) } })
  return { ok: true, staff }
}

/**
 * Returns until when a staff member who was invited again can only read. In this time owners can notice a stolen
 * account.
 */
function lookingUntil({ reinvitedAt }: SignedInStaff, mode: 'demo' | 'live'): Instant {
  return instant(reinvitedAt === null ? 0 : reinvitedAt + waitMs(mode, REINVITED_HOURS))
}

/** Every staff member can log out and end their own sessions. */
function isOwnSession(path: string): boolean {
  return path === '/admin/sign-out' || path === '/admin/sessions/:id/end'
}
