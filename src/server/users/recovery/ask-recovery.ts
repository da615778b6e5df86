import { isEmail } from '#core/accounts/email.ts'
import { isReadableReason } from '#core/accounts/measures.ts'
import type { Lost } from '#core/accounts/recovery.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { contentHash } from '#server/audit/content-hash.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { findAccountFacts, insertRecovery, ownDeposits } from '#server/users/recovery/recovery.queries.ts'
import { findFactors, hasSecondStep } from '#server/users/security/factors.queries.ts'

export type AskRecoveryRefusal =
  | 'not_found'
  | 'words_needed'
  | 'nothing_lost'
  | 'email_invalid'
  | 'recovery_address_needed'
  | 'recovery_deposit_unknown'
  | 'recovery_open'

interface RecoveryRequest {
  readonly userId: string
  readonly lost: readonly Lost[]
  /** The email address that replaces a lost contact. Ignored when the user has lost no contact. */
  readonly newAddress: string
  /** The evidence that the user owns the account. */
  readonly words: string
  /** References of past deposits, which the user named as evidence. */
  readonly deposits: readonly string[]
  readonly staffId: string
  readonly actor: Actor
}

/**
 * Stores a staff member's request to recover an account. The account stays unchanged until another staff member
 * confirms the request and the user sets new factors.
 */
export async function askRecovery(
  ctx: Ctx,
  asked: RecoveryRequest,
): Promise<Result<{ id: string }, AskRecoveryRefusal>> {
  const { userId, words, deposits, staffId, actor } = asked
  if (!isReadableReason(words)) return refuse('words_needed')
  const lost = [...new Set(asked.lost)].toSorted()
  const newAddress = lost.includes('contact') ? asked.newAddress : null
  if (newAddress !== null && !isEmail(newAddress)) return refuse('email_invalid', { field: 'new_address' })
  return ctx.db.transaction().execute(async (tx) => {
    const account = await findAccountFacts(tx, userId)
    if (account === null) return refuse('not_found')
    const { provenAddress, hasPin } = account
    const had = { contact: true, pin: hasPin, second_step: hasSecondStep(await findFactors(tx, userId)) }
    if (lost.length === 0 || lost.some((one) => !had[one])) return refuse('nothing_lost', { field: 'lost' })
    if (newAddress === null && provenAddress === null) return refuse('recovery_address_needed')
    const own = new Set(await ownDeposits(tx, userId, deposits))
    const unknown = deposits.find((one) => !own.has(one))
    if (unknown !== undefined)
      return refuse('recovery_deposit_unknown', { params: { trx: unknown }, field: 'deposits' })
    const id = ctx.newId()
    const facts = { userId, lost, newAddress, provenAddress, words, deposits }
    const hash = contentHash(facts)
    const content = { userId, id, lost, newAddress, words, deposits, contentHash: hash }
    const from = { requestedBy: staffId, requestedAt: ctx.now(), requestedFrom: actor.address ?? '' }
    if (!(await insertRecovery(tx, { ...content, ...from }))) return refuse('recovery_open')
    const after = { recovery: id, lost, deposits, contentHash: hash }
    await recordAction(tx, ctx, actor, { target: userId, reason: words, outcome: 'done', after })
    return ok({ id })
  })
}
