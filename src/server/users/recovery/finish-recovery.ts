import { passwordRefusal } from '#core/accounts/password.ts'
import { PIN_DIGITS, readPin } from '#core/accounts/pin.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { isCommonPassword } from '#server/platform/credentials/common-password.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import { hashToken } from '#server/platform/credentials/session-token.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { strangerAsker } from '#server/platform/limits/fair-queue.ts'
import { closeSamePeople } from '#server/users/limits/close-same-person.ts'
import { keepTraits } from '#server/users/limits/keep-traits.ts'
import {
  endRecovery,
  findRecoveryByLink,
  type Recovery,
  replaceFactors,
} from '#server/users/recovery/recovery.queries.ts'
import { noteSecurityChange } from '#server/users/security/security-change.queries.ts'
import { dropTickets } from '#server/users/security/tickets.ts'
import { deleteSessionsOf } from '#server/users/sessions/sessions.queries.ts'

export type FinishRecoveryRefusal =
  | 'recovery_link_over'
  | 'password_length'
  | 'password_common'
  | 'password_mismatch'
  | 'pin_format'
  | 'pin_mismatch'

export interface NewFactors {
  readonly token: string
  readonly password: string
  readonly passwordConfirmation: string
  /** The new PIN. Ignored unless the old PIN is lost. */
  readonly pin: string
  readonly pinConfirmation: string
}

/** Finds the recovery that a link belongs to. The link still works afterwards. Null when it does not work now. */
export async function openRecoveryLink(ctx: Ctx, token: string): Promise<Recovery | null> {
  const linkHash = hashToken(token)
  return linkHash === null ? null : findRecoveryByLink(ctx.db, { linkHash, now: ctx.now() })
}

/**
 * Sets a new password and replaces the other lost factors. A link does this only once. All sessions of the user end,
 * and no new session is opened. The database pauses withdrawals.
 */
export async function finishRecovery(
  { ctx, passwords }: { readonly ctx: Ctx; readonly passwords: Passwords },
  given: NewFactors,
  from: { readonly address: string },
): Promise<Result<null, FinishRecoveryRefusal>> {
  const linkHash = hashToken(given.token)
  const opened = await openRecoveryLink(ctx, given.token)
  if (linkHash === null || opened === null) return refuse('recovery_link_over')
  const pin = readNewPin(opened, given)
  if (!pin.ok) return pin
  const refusal = passwordRefusal(given.password, given.passwordConfirmation)
  if (refusal) return refuse(refusal)
  if (isCommonPassword(given.password)) return refuse('password_common')
  const asker = strangerAsker(from.address)
  const passwordHash = await passwords.hash(given.password, asker)
  const pinHash = pin.value === null ? null : await passwords.hash(pin.value, asker)
  const isDone = await ctx.db.transaction().execute(async (tx) => {
    const at = ctx.now()
    // If the recovery was stopped in the meantime, this finds nothing.
    const recovery = await findRecoveryByLink(tx, { linkHash, now: at, isLocked: true })
    if (recovery === null) return false
    const { userId } = recovery
    await endRecovery(tx, recovery, { state: 'done', by: 'user', at })
    await replaceFactors(tx, recovery, { passwordHash, pinHash, at })
    await noteSecurityChange(tx, { userId, what: 'password', at })
    await dropTickets(tx, userId)
    await deleteSessionsOf(tx, userId)
    await keepTraits(tx, ctx.vault, userId)
    return true
  })
  if (!isDone) return refuse('recovery_link_over')
  const { userId } = opened
  await closeSamePeople(ctx, userId)
  ctx.publish({ kind: 'session-ended', userId, tokenHash: null })
  ctx.publish({ kind: 'account-changed', userId })
  return ok(null)
}

/** Reads the new PIN. Null when the user has not lost the PIN. */
function readNewPin(
  { lost }: Recovery,
  { pin: typed, pinConfirmation }: NewFactors,
): Result<string | null, 'pin_format' | 'pin_mismatch'> {
  if (!lost.includes('pin')) return ok(null)
  const pin = readPin(typed)
  if (pin === null) return refuse('pin_format', { params: { number: PIN_DIGITS } })
  return pin === readPin(pinConfirmation) ? ok(pin) : refuse('pin_mismatch')
}
