import { moneyText } from '#core/money/money.ts'
import { minuteText, SECOND_MS } from '#core/time/instant.ts'
import { applyDueChanges, type ChangeAppliers } from '#server/audit/changes/apply-changes.ts'
import { type Change, listUnmailedChanges, markMailed } from '#server/audit/changes/changes.queries.ts'
import { issueInvitation } from '#server/back-office/staff/join-staff.ts'
import { createApplyStaff } from '#server/back-office/staff/apply-staff-changes.ts'
import { findStaffByName, listDeciderMails } from '#server/back-office/staff/staff.queries.ts'
import { joinPath } from '#server/back-office/staff/staff.routes.ts'
import type { WaitingPayments } from '#server/proof/made-good/made-good.queries.ts'
import { createApplyGateway } from '#server/payments/gateways/save-gateway.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { staffText } from '#server/platform/i18n/staff-texts.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import { createApplySettings } from '#server/settings/change-settings.ts'
import type { Settings } from '#server/settings/site-settings.ts'

export interface WatchChangesParts {
  readonly ctx: Ctx
  readonly settings: Settings
  readonly mode: 'demo' | 'live'
  readonly messenger: Messenger
  readonly publicUrl: string | null
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

/** Runs one round of the job: applies due changes, then mails each change whose new state was not mailed yet. */
export async function applyAndMail(parts: WatchChangesParts): Promise<void> {
  await applyDueChanges(parts.ctx, createAppliers(parts))
  for (const change of await listUnmailedChanges(parts.ctx.db)) await mailChange(parts, change)
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

/**
 * Mails the state of a change. An invited person is also mailed the link. When sending the link fails, the next round
 * sends it again.
 */
async function mailChange(parts: WatchChangesParts, change: Change): Promise<void> {
  const { ctx } = parts
  const isInvitation = change.kind === 'invite' || change.kind === 'reinvite'
  if (isInvitation && change.state === 'in_force') await mailInvitation(parts, change)
  const subject = staffText('waiting.mail_subject', { site: parts.settings.current.siteName })
  const text = noticeText(change)
  await mailDeciders(parts, { subject, text })
  await markMailed(ctx.db, change)
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

async function mailInvitation(
  { ctx, messenger, settings, publicUrl }: WatchChangesParts,
  { subject: name, after }: Change,
) {
  const token = await ctx.db.transaction().execute(async (tx) => {
    const staff = await findStaffByName(tx, name)
    return staff && (await issueInvitation(ctx, tx, staff.id))
  })
  if (token === null) return
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
