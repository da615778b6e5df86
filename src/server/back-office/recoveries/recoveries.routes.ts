import type { RecoveryRow } from '#contract/back-office/recoveries.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { maskAddress } from '#core/accounts/mask-address.ts'
import { ok, refuse } from '#core/result.ts'
import { isAllowed, type Role } from '#core/staff/permissions.ts'
import { toIso } from '#core/time/instant.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import { askRecovery } from '#server/users/recovery/ask-recovery.ts'
import { confirmRecovery, markOfConfirmation } from '#server/users/recovery/confirm-recovery.ts'
import { listRecoveries, type Recovery } from '#server/users/recovery/recovery.queries.ts'
import { type SendLinkParts, sendRecoveryLink } from '#server/users/recovery/send-link.ts'
import { stopRecovery } from '#server/users/recovery/stop-recovery.ts'

/** Registers the calls for recoveries of accounts: list, ask, confirm, send the link and stop. */
export function staffRecoveriesRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  parts: SendLinkParts & { readonly mode: 'demo' | 'live' },
): void {
  const { ctx, mode } = parts
  registerList(staffCalls.staffRecoveries, async ({ filters: { state }, after, limit, staff }) => {
    const found = await listRecoveries(ctx.db, state === 'open', { after, limit })
    const viewer = { staffId: staff?.staffId ?? '', role: staff?.role ?? 'content' }
    const mayConfirm = await ctx.db.transaction().execute(async (tx) => {
      const ids = new Set<string>()
      for (const recovery of found) {
        if (recovery.state !== 'asked' || !isAllowed(viewer.role, 'recovery.confirm')) continue
        if ((await markOfConfirmation(ctx, tx, { recovery, staffId: viewer.staffId, place: '' })).ok)
          ids.add(recovery.id)
      }
      return ids
    })
    return found.map((one) => ({
      row: toRow(one, { role: viewer.role, now: ctx.now(), mayConfirm: mayConfirm.has(one.id) }),
      cursor: [one.requestedAt, one.id],
    }))
  })

  register(staffCalls.staffAskRecovery, async ({ params: { id: userId }, body, staff: { staffId }, actor }) => {
    const { lost, words, deposits, new_address: newAddress } = body
    return askRecovery(ctx, { userId, lost, words, deposits, newAddress, staffId, actor })
  })
  register(staffCalls.staffConfirmRecovery, async ({ params: { id }, body, staff: { staffId }, actor }) => {
    const done = await confirmRecovery(ctx, { id, seenHash: body.content_hash, staffId, actor, mode })
    return done.ok ? ok({ opens_at: toIso(done.value) }) : done
  })
  register(staffCalls.staffSendRecoveryLink, ({ params: { id }, actor }) => sendRecoveryLink(parts, { id, actor }))
  register(staffCalls.staffStopRecovery, async ({ params: { id }, body: { reason }, actor }) =>
    reason === '' ? refuse('reason_needed') : stopRecovery(ctx, id, { isUser: false, actor, reason }),
  )
}

function toRow(
  one: Recovery,
  { role, now, mayConfirm }: { readonly role: Role; readonly now: number; readonly mayConfirm: boolean },
): RecoveryRow {
  const isOpen = one.state === 'asked' || one.state === 'waiting'
  return {
    id: one.id,
    user_id: one.userId,
    username: one.username,
    state: one.state,
    lost: [...one.lost],
    link_to: one.newAddress ?? (one.provenAddress === null ? '' : maskAddress(one.provenAddress)),
    is_new_address: one.newAddress !== null,
    words: one.words,
    deposits: [...one.deposits],
    content_hash: one.contentHash,
    asked_by: one.requestedByName,
    asked_at: toIso(one.requestedAt),
    confirmed_by: one.confirmedByName,
    opens_at: one.opensAt && toIso(one.opensAt),
    link_until: one.linkUntil && toIso(one.linkUntil),
    ended_by: one.closedBy,
    ended_at: one.closedAt && toIso(one.closedAt),
    may_confirm: mayConfirm,
    may_send: isAllowed(role, 'recovery.ask') && one.state === 'waiting' && one.opensAt !== null && now >= one.opensAt,
    may_stop: isOpen,
  }
}
