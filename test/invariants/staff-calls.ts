import { z } from 'zod'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { StaffCall } from '#contract/back-office/staff-call.ts'

/**
 * How a changing call of staff takes effect.
 * - `waits`: two people, then a public wait.
 * - `two`: two people for what moves money above a sum, or helps someone into an account.
 * - `notice`: announced ahead to everyone.
 * - `at once`: one person.
 */
export type Effect = 'waits' | 'two' | 'notice' | 'at once'

const NOTICES: ReadonlySet<string> = new Set([
  'notice_too_short',
  'split_too_soon',
  'terms_from_early',
  'maintenance_too_soon',
])

/** The calls that take effect at once, by the reason why they change no result and no user's money. */
export const AT_ONCE: Readonly<Record<string, readonly (keyof typeof staffCalls)[]>> = {
  'The own log-in of a staff member.': [
    'staffSignIn',
    'staffSignInCode',
    'staffJoin',
    'staffSignOut',
    'staffEndSession',
  ],
  'Take back a waiting change: any owner may.': ['staffCancelChange'],
  'Refuse new orders of everyone alike, or allow them again. Open orders settle as usual.': [
    'staffPauseTrading',
    'staffEndMaintenance',
    'staffCloseMarket',
    'staffOpenMarket',
    'staffPlanClosure',
    'staffCancelClosure',
    'staffCloseSymbol',
    'staffOpenSymbol',
    'staffSaveCap',
  ],
  'How symbols and buttons are listed. Trade terms are announced.': [
    'staffAddSymbol',
    'staffEditSymbol',
    'staffSymbolPicture',
    'staffAddQuickAmount',
    'staffChangeQuickAmount',
    'staffRemoveQuickAmount',
  ],
  'Record money that arrived. Two people approve its credit above a sum.': ['staffRecordArrival', 'staffAssignArrival'],
  'Steps of a payment that was approved. They change neither amount nor destination.': [
    'staffStartPaying',
    'staffMarkPaid',
    'staffMarkUnsent',
    'staffMarkFailed',
    'staffTakeOverWithdrawal',
    'staffMakePaymentFile',
    'staffDownloadPaymentFile',
    'staffUnsendPaymentFile',
    'staffPayPaymentFile',
  ],
  'Ask for an adjustment, or take the request back. Two people decide it.': [
    'staffRequestCorrection',
    'staffWithdrawCorrection',
  ],
  'Measures against one user: with reason and end, public in number, signed. Their money stays theirs.': [
    'staffSetTradingAllowed',
    'staffSetLogInAllowed',
    'staffSetVerified',
    'staffSetLimits',
    'staffExclude',
  ],
  'Take access away, or begin a recovery that another person confirms.': [
    'staffEndUserKey',
    'staffEndUserSession',
    'staffEndUserSessions',
    'staffAskRecovery',
    'staffSendRecoveryLink',
    'staffStopRecovery',
  ],
  'Texts, pictures, codes for sign-ups. Texts with a payment address are refused.': [
    'staffSaveContent',
    'staffRemoveContent',
    'staffSaveAnnouncement',
    'staffRemoveAnnouncement',
    'staffSaveText',
    'staffResetText',
    'staffOfferLanguages',
    'staffGatewayPicture',
    'staffSitePicture',
    'staffSaveAccessCode',
    'staffMakeAccessCodes',
  ],
  'Notes, tickets, alerts, reports and checks. No balance and no result depends on them.': [
    'staffTakeAlert',
    'staffCloseAlert',
    'staffSaveAlertRule',
    'staffSetAlertMail',
    'staffAddAlertChannel',
    'staffTestAlertChannel',
    'staffRemoveAlertChannel',
    'staffRemarkDeposit',
    'staffRemarkWithdrawal',
    'staffAddUserNote',
    'staffRemarkTicket',
    'staffTakeTicket',
    'staffMoveTicket',
    'staffAnswerTicket',
    'staffDecideTicket',
    'staffOpenRecord',
    'staffCloseReport',
    'staffCheckLedger',
    'staffVerifyAudit',
  ],
}

const listed: ReadonlySet<string> = new Set(Object.values(AT_ONCE).flat())

/** Returns the effect of each changing call of staff. Null for a call without a review. */
export function staffEffects(): ReadonlyMap<string, Effect | null> {
  const changing = Object.entries<StaffCall>(staffCalls).filter(
    ([, { method, changesNothing = false }]) => method !== 'GET' && !changesNothing,
  )
  return new Map(changing.map(([name, call]) => [name, effectOf(name, call)]))
}

function effectOf(name: string, { reply, refusals }: StaffCall): Effect | null {
  if (reply instanceof z.ZodObject && 'pending' in reply.shape) return 'waits'
  if (listed.has(name)) return 'at once'
  if (refusals.some((refusal) => NOTICES.has(refusal))) return 'notice'
  return refusals.includes('second_person_needed') ? 'two' : null
}
