import { moneyText } from '#core/money/money.ts'
import { minuteText, SECOND_MS } from '#core/time/instant.ts'
import { applyDueChanges, type ChangeAppliers } from '#server/audit/changes/apply-changes.ts'
import { type Change, listUnmailedChanges, markLinkDue, markMailed } from '#server/audit/changes/changes.queries.ts'
import { type InvitationParts, mailInvitations } from '#server/back-office/changes/mail-invitations.ts'
import { createApplyStaff } from '#server/back-office/staff/apply-staff-changes.ts'
import { listDeciderMails } from '#server/back-office/staff/staff.queries.ts'
import type { WaitingPayments } from '#server/proof/made-good/made-good.queries.ts'
import { createApplyGateway } from '#server/payments/gateways/save-gateway.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { staffText } from '#server/platform/i18n/staff-texts.ts'
import { createApplySettings } from '#server/settings/change-settings.ts'

export interface WatchChangesParts extends InvitationParts {
  readonly mode: 'demo' | 'live'
}

/** 2 s: in a demo, a change waits only one minute, and the operator watches the page during this minute. */
const EVERY_MS = 2 * SECOND_MS

/**
 * Applies waiting changes when their time has come, and mails owners and approvers. Returns a function that stops it.
 */
export function watchChanges(parts: WatchChangesParts): () => Promise<void> {
  const run = async (): Promise<void> => await applyAndMail(parts)
  return runPeriodically(parts.ctx, { pauseMs: () => EVERY_MS, run, failure: 'watching changes failed' })
}

/**
 * Runs one round of the job: applies due changes, mails each change whose new state was not mailed yet, and then the
 * links of invitations.
 */
export async function applyAndMail(parts: WatchChangesParts): Promise<void> {
  await applyDueChanges(parts.ctx, createAppliers(parts))
  for (const change of await listUnmailedChanges(parts.ctx.db)) await mailChange(parts, change)
  await mailInvitations(parts)
}

function createAppliers({ ctx, settings, mode }: WatchChangesParts): ChangeAppliers {
  const applySettings = createApplySettings(ctx, settings)
  return {
    ...createApplyStaff(ctx),
    gateway: createApplyGateway(ctx, mode),
    limits: applySettings,
    facts: applySettings,
    countries: applySettings,
  }
}

/** Mails the state of a change to owners and approvers. The link of an invitation is due afterwards. */
async function mailChange(parts: WatchChangesParts, change: Change): Promise<void> {
  const { ctx } = parts
  const isInvitation = change.kind === 'invite' || change.kind === 'reinvite'
  const subject = staffText('waiting.mail_subject', { site: parts.settings.current.siteName })
  await mailDeciders(parts, { subject, text: noticeText(change) })
  if (isInvitation && change.state === 'in_force') await markLinkDue(ctx.db, change)
  else await markMailed(ctx.db, change)
}

/** Mails owners and approvers about large payments that will be made without their consent. */
export async function mailWaitingPayments(
  parts: WatchChangesParts,
  { orders, amount, paysAt, source }: WaitingPayments,
) {
  const subject = staffText('waiting.mail_made_good_subject', { site: parts.settings.current.siteName })
  const facts = { orders, amount: moneyText(amount), time: minuteText(paysAt), source }
  await mailDeciders(parts, { subject, text: staffText('waiting.mail_made_good', facts) })
}

async function mailDeciders(
  { ctx, messenger }: WatchChangesParts,
  { subject, text }: { readonly subject: string; readonly text: string },
): Promise<void> {
  for (const to of await listDeciderMails(ctx.db)) {
    try {
      await messenger.send({ to, kind: 'staff_change', subject, text, code: '' })
    } catch (error) {
      // A failing mailbox must not hold up the mails to other staff members. The failed mail is lost, but the facts are
      // also in the back office or public.
      ctx.log.warn({ err: error }, 'a staff member could not be told of what waits')
    }
  }
}

function noticeText({
  kind,
  subject,
  state,
  requestedByName,
  secondByName,
  appliesAt,
  closedBy,
  reason,
}: Change): string {
  return staffText(`waiting.mail_${state}`, {
    what: `${staffText(`waiting.kind_${kind}`, {})} (${subject})`,
    by: requestedByName,
    second: secondByName ?? staffText('waiting.nobody', {}),
    time: appliesAt === null ? '' : minuteText(appliesAt),
    who: closedBy,
    reason: reason === '' ? '–' : reason,
  })
}
