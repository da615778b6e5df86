import type { Call } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import type { StaffCall } from '#contract/back-office/staff-call.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { Instant } from '#core/time/instant.ts'
import { createRateLimiter, type TakeCall } from '#server/platform/http/rate-limit.ts'
import { STRANGER_LIMITS, type StrangerLimitName } from '#server/platform/limits/limits.ts'
import { siteOf, subnetOf } from '#server/platform/limits/subnet.ts'

/** The limit of each call that is open without log-in and costs a hash, a message or a row. */
export const LIMITED_CALLS: ReadonlyMap<Call | StaffCall, StrangerLimitName> = new Map<
  Call | StaffCall,
  StrangerLimitName
>([
  [calls.login, 'log_in'],
  [calls.secondStep, 'log_in'],
  [calls.passkeyTask, 'log_in'],
  [calls.passkeySignIn, 'log_in'],
  [calls.register, 'sign_up'],
  [calls.forgetPassword, 'reset'],
  [calls.checkResetCode, 'reset'],
  [calls.resetPassword, 'reset'],
  [calls.finishRecovery, 'reset'],
  [calls.stopRecoveryByLink, 'reset'],
  [staffCalls.staffSignIn, 'staff'],
  [staffCalls.staffSignInCode, 'staff'],
  [staffCalls.staffOpenInvitation, 'staff'],
  [staffCalls.staffJoin, 'staff'],
])

export interface StrangerCaller {
  readonly address: string
  /** The token that a browser got at an earlier log-in. */
  readonly device: string | null
  /** The name or address of the account that the call concerns; null without one. */
  readonly owner: string | null
}

/**
 * Whether a device belongs to the account that a call concerns, or, when the call names no account, to any verified
 * account.
 */
export type IsOwnDevice = (device: string, owner: string | null) => Promise<boolean>

/** Counts one call. Returns 0, or how many seconds to wait before the next one. */
export type TakeStrangerCall = (call: Call | StaffCall, caller: StrangerCaller, now: Instant) => Promise<number>

interface Buckets {
  readonly network: TakeCall
  readonly site: TakeCall
  readonly total: TakeCall
}

/**
 * Counts calls without log-in, in memory, before anything is hashed, sent or stored. The caller's network, its /48 and
 * all callers together each have a limit. When one of these limits is used up, a known device of the account still has
 * a separate limit. So a flood from the user's network does not lock the user out. Devices of other accounts do not
 * count.
 */
export function createStrangerGate(isOwnDevice: IsOwnDevice): TakeStrangerCall {
  const buckets = new Map<StrangerLimitName, Buckets>()
  for (const [name, { network, site, total }] of Object.entries(STRANGER_LIMITS) as [
    StrangerLimitName,
    (typeof STRANGER_LIMITS)[StrangerLimitName],
  ][]) {
    buckets.set(name, {
      network: createRateLimiter(network),
      site: createRateLimiter(site),
      total: createRateLimiter(total),
    })
  }

  return async (call, { address, device, owner }, now) => {
    const name = LIMITED_CALLS.get(call)
    const limit = name === undefined ? undefined : buckets.get(name)
    if (limit === undefined) return 0
    const site = siteOf(address)
    const wait =
      limit.network(subnetOf(address), now) || (site === null ? 0 : limit.site(site, now)) || limit.total('all', now)
    if (wait === 0 || device === null || !(await isOwnDevice(device, owner))) return wait
    return limit.network(`device ${device}`, now)
  }
}
