import { HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'
import { type Change, listDueInvitations, markMailed } from '#server/audit/changes/changes.queries.ts'
import { INVITATION_MS, issueInvitation } from '#server/back-office/staff/join-staff.ts'
import { findInvited, type Invited } from '#server/back-office/staff/staff.queries.ts'
import { joinPath } from '#server/back-office/staff/staff.routes.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { staffText } from '#server/platform/i18n/staff-texts.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import type { Settings } from '#server/settings/site-settings.ts'

export interface InvitationParts {
  readonly ctx: Ctx
  readonly settings: Settings
  readonly messenger: Messenger
  readonly publicUrl: string | null
}

/** A wrong address stays wrong, so the pauses grow. They stay short enough that a repaired mail server is soon used. */
const MIN_PAUSE_MS = MINUTE_MS
const MAX_PAUSE_MS = HOUR_MS

/**
 * Mails the link of each invitation that is in force. A failed mail is tried again after a growing pause, for the last
 * time three days after the invitation came into force. A failing address does not hold up the other mails.
 */
export async function mailInvitations(parts: InvitationParts): Promise<void> {
  const { ctx } = parts
  for (const change of await listDueInvitations(ctx.db)) {
    try {
      await mailInvitation(parts, change)
    } catch (error) {
      const isOver = ctx.now() >= inForceAt(change) + INVITATION_MS
      ctx.log.warn({ err: error, change: change.id, isOver }, 'an invitation could not be mailed')
      if (isOver) await markMailed(ctx.db, change)
    }
  }
}

async function mailInvitation(parts: InvitationParts, change: Change): Promise<void> {
  const { ctx } = parts
  const invited = await findInvited(ctx.db, change.subject)
  if (invited !== null && isWanted(invited, change)) {
    if (ctx.now() < nextTry(invited, change)) return
    const token = await ctx.db.transaction().execute((tx) => issueInvitation(ctx, tx, invited.id))
    await sendLink(parts, change, token)
  }
  await markMailed(ctx.db, change)
}

/** A later invitation replaces this one. A member who joined or was blocked needs no link. */
function isWanted({ hasJoined, isBlocked, reinvitedAt }: Invited, change: Change): boolean {
  return !hasJoined && !isBlocked && (reinvitedAt === null || reinvitedAt <= inForceAt(change))
}

/** Each pause is as long as all pauses before it. The time of the last try follows from the end of the last link. */
function nextTry({ linkUntil }: Invited, change: Change): number {
  if (linkUntil === null) return 0
  const last = linkUntil - INVITATION_MS
  return last + Math.min(Math.max(last - inForceAt(change), MIN_PAUSE_MS), MAX_PAUSE_MS)
}

/** Since when the invitation is in force. */
function inForceAt({ closedAt, requestedAt }: Change): number {
  return closedAt ?? requestedAt
}

async function sendLink({ messenger, settings, publicUrl }: InvitationParts, change: Change, token: string) {
  const { subject: name, after } = change
  const site = settings.current.siteName
  const link = `${publicUrl ?? ''}${joinPath(token)}`
  await messenger.send({
    to: String(after['mail']),
    kind: 'staff_invitation',
    subject: staffText('waiting.invitation_subject', { site }),
    text: staffText('waiting.invitation_text', { site, name, link }),
    code: '',
  })
}
