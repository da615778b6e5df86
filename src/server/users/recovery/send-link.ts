import { RECOVERY_LINK_MS, RECOVERY_LINK_OFFER_MS } from '#core/accounts/recovery.ts'
import { assert, type Result, ok, refuse } from '#core/result.ts'
import { type Instant, later, minuteText } from '#core/time/instant.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { hashToken, makeToken } from '#server/platform/credentials/session-token.ts'
import { message } from '#server/platform/i18n/messages.ts'
import { consumeAttempts } from '#server/platform/limits/attempt-limits.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { recipientAttempts, unlessLimited } from '#server/users/accounts/limit-messages.ts'
import { findRecipient } from '#server/users/accounts/one-time-codes.queries.ts'
import { recoveryHash } from '#server/users/recovery/confirm-recovery.ts'
import { findRecovery, lockRecovery, type Recovery, saveLink } from '#server/users/recovery/recovery.queries.ts'

export interface SendLinkParts {
  readonly ctx: Ctx
  readonly messenger: Messenger
  readonly settings: Settings
  readonly publicUrl: string | null
}

export type SendLinkRefusal = 'not_found' | 'recovery_over' | 'recovery_waits' | 'content_changed' | 'too_many_attempts'

/**
 * Sends the link of a recovery after its waiting time. It goes to the new address that both staff members confirmed, or
 * else to the user's verified contact. Staff choose the time together with the user, because the link works for half an
 * hour. No reply of the server contains the link.
 */
export async function sendRecoveryLink(
  { ctx, messenger, settings, publicUrl }: SendLinkParts,
  { id, actor }: { readonly id: string; readonly actor: Actor },
): Promise<Result<null, SendLinkRefusal>> {
  const seen = admitted(await findRecovery(ctx.db, id), ctx.now())
  if (!seen.ok) return seen
  const wait = await consumeAttempts(ctx, recipientAttempts('recovery', seen.value.to))
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
  const token = makeToken((count) => ctx.randomBytes(count))
  const hash = hashToken(token)
  assert(hash, 'a token we make can be read')
  const saved = await ctx.db.transaction().execute(async (tx) => {
    const now = ctx.now()
    const recovery = await lockRecovery(tx, id)
    const locked = admitted(recovery, now)
    if (recovery === null || !locked.ok) return locked
    await saveLink(tx, recovery, { hash, until: later(now, RECOVERY_LINK_MS) })
    // Sending can fail after this transaction, so the entry does not state that the link was sent.
    const after = { recovery: id, link: 'made' }
    await recordAction(tx, ctx, actor, { target: recovery.userId, outcome: 'done', after })
    return locked
  })
  if (!saved.ok) return saved
  const { to, userId } = saved.value
  const language = (await findRecipient(ctx.db, userId))?.language ?? 'en'
  const site = settings.current.siteName
  const link = publicUrl === null ? `/recover/${token}` : new URL(`/recover/${token}`, publicUrl).href
  const sending = messenger.send({
    to,
    kind: 'recovery',
    code: '',
    isProven: true,
    subject: message('mail.recovery_subject', language, { site }),
    text: message('mail.recovery_text', language, { site, link }),
  })
  const sent = await unlessLimited(sending)
  return sent.ok ? ok(null) : sent
}

/** Returns the address that the link can be sent to now, or a refusal. */
function admitted(
  recovery: Recovery | null,
  now: Instant,
): Result<{ to: string; userId: string }, Exclude<SendLinkRefusal, 'too_many_attempts'>> {
  if (recovery === null) return refuse('not_found')
  const { state, opensAt, userId, newAddress, provenAddress } = recovery
  if (state === 'asked') return refuse('recovery_waits', { params: { variant: 'asked' } })
  if (state !== 'waiting' || opensAt === null || now >= later(opensAt, RECOVERY_LINK_OFFER_MS))
    return refuse('recovery_over')
  if (now < opensAt) return refuse('recovery_waits', { params: { until: minuteText(opensAt) } })
  // The link never goes to a contact that both staff members did not see.
  if (recoveryHash(recovery) !== recovery.contentHash)
    return refuse('content_changed', { params: { variant: 'recovery' } })
  const to = newAddress ?? provenAddress
  return to === null ? refuse('recovery_over') : ok({ to, userId })
}
