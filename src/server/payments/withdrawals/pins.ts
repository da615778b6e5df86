import { noteSecurityChange } from '#server/users/security/security-change.queries.ts'
import { PIN_DIGITS, readPin } from '#core/accounts/pin.ts'
import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { clearAttempts, refundedOnError, consumeAttempt } from '#server/platform/limits/attempt-limits.ts'
import { userAsker } from '#server/platform/limits/fair-queue.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { createKeyedMutex } from '#server/platform/concurrency/keyed-mutex.ts'
import { findPinHash, replacePinHash } from '#server/users/accounts/pins.queries.ts'

export type PinRefusal = 'pin_missing' | 'pin_format' | 'pin_wrong' | 'pin_locked'
export type NewPinRefusal = 'field_required' | 'pin_mismatch' | Exclude<PinRefusal, 'pin_missing'>

export interface NewPin {
  /** Required when a PIN is set. */
  readonly current: string
  readonly next: string
  readonly confirmation: string
}

/** Checks and sets withdrawal PINs. */
export interface Pins {
  /** Checks the user's PIN. A refusal names `field`, the request field of the PIN. */
  check(userId: string, pin: string, field?: string): Promise<Result<undefined, PinRefusal>>
  /** Sets the first PIN, or replaces the current PIN. */
  set(userId: string, pin: NewPin): Promise<Result<undefined, NewPinRefusal>>
}

/**
 * Creates the checker and setter of PINs. The PIN checks of one user run one after the other, because concurrent checks
 * could count right PINs as failures. The count of attempts in the database limits the checks of all servers together.
 */
export function createPins({ ctx, passwords }: { readonly ctx: Ctx; readonly passwords: Passwords }): Pins {
  const inTurn = createKeyedMutex()

  async function tryPin(userId: string, hash: string, pin: string): Promise<Result<undefined, 'pin_wrong' | Locked>> {
    const tries = { limit: 'pin', key: userId } as const
    const wait = await consumeAttempt(ctx, tries)
    if (wait > 0) return locked(wait)
    const isRight = await refundedOnError(ctx, [tries], () => passwords.verify(hash, pin, userAsker(userId)))
    if (!isRight) return refuse('pin_wrong')
    await clearAttempts(ctx, tries)
    return ok()
  }

  return {
    async check(userId, typed, field = 'withdrawal_code') {
      const pin = readPin(typed)
      if (pin === null) return wrongFormat(field)
      return inTurn(userId, async () => {
        const hash = await findPinHash(ctx.db, userId)
        if (hash === null) return refuse('pin_missing')
        return at(field, await tryPin(userId, hash, pin))
      })
    },
    async set(userId, typed) {
      // The format is checked first, because this check costs no attempt.
      const next = readPin(typed.next)
      if (next === null) return wrongFormat('withdrawal_code')
      if (next !== readPin(typed.confirmation)) return refuse('pin_mismatch')
      return inTurn(userId, async () => {
        const hash = await findPinHash(ctx.db, userId)
        if (hash !== null) {
          const field = 'current_withdrawal_code'
          if (typed.current === '') return refuse('field_required', { params: { name: field }, field })
          const current = readPin(typed.current)
          if (current === null) return wrongFormat(field)
          const tried = at(field, await tryPin(userId, hash, current))
          if (!tried.ok) return tried
        }
        const nextHash = await passwords.hash(next, userAsker(userId))
        const isSet = await ctx.db.transaction().execute(async (tx) => {
          if (!(await replacePinHash(tx, userId, { from: hash, to: nextHash, at: ctx.now() }))) return false
          await noteSecurityChange(tx, { userId, what: hash === null ? 'pin_set' : 'pin', at: ctx.now() })
          return true
        })
        if (isSet) return ok()
        // Another request changed the PIN since, so the check of the current PIN is outdated.
        return refuse('pin_wrong', { field: 'current_withdrawal_code' })
      })
    },
  }
}

type Locked = 'pin_locked'

function locked(seconds: number): Refusal<Locked> {
  return refuse('pin_locked', { params: { seconds, minutes: Math.ceil((seconds * SECOND_MS) / MINUTE_MS) } })
}

function wrongFormat(field: string): Refusal<'pin_format'> {
  return refuse('pin_format', { params: { number: PIN_DIGITS }, field })
}

/** Makes a refusal name the given field. */
function at<R extends string>(field: string, result: Result<undefined, R>): Result<undefined, R> {
  return result.ok ? result : { ...result, field }
}
