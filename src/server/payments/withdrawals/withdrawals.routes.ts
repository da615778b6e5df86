import { calls } from '#contract/calls.ts'
import type { WithdrawalOut } from '#contract/withdrawals.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import { GATEWAY_IMAGE_PATH } from '#core/wallet/gateway-image.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { assert, refuse } from '#core/result.ts'
import { type Instant, minuteText } from '#core/time/instant.ts'
import { answer } from '#server/platform/http/answer.ts'
import { metaOf, sliceOf } from '#server/platform/http/paging.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { type Language, message } from '#server/platform/i18n/messages.ts'
import { withdrawalsWaitUntil } from '#server/users/security/security-change.queries.ts'
import { needsConfirmation } from '#server/users/security/confirm-identity.ts'
import type { SiteCare } from '#server/settings/site-care.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { withdrawalBlockReason } from '#server/users/accounts/withdrawals-blocked.ts'
import { cancelWithdrawal, isCancellingLocked } from '#server/payments/withdrawals/cancel-withdrawal.ts'
import { findGateway, listGateways } from '#server/payments/gateways/list-gateways.ts'
import { findDetails } from '#server/payments/withdrawals/saved-details.queries.ts'
import { givenDetails } from '#server/payments/withdrawals/given-details.ts'
import { createPins } from '#server/payments/withdrawals/pins.ts'
import { requestWithdrawal } from '#server/payments/withdrawals/request-withdrawal.ts'
import { saveDetails } from '#server/payments/withdrawals/save-details.ts'
import { informationOf, loadReplies, newReply, toMethodReply } from '#server/payments/withdrawals/withdrawal-reply.ts'
import type { Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'
import { listWithdrawals } from '#server/payments/withdrawals/find-withdrawals.queries.ts'

export interface WithdrawalsParts {
  readonly ctx: Ctx
  readonly passwords: Passwords
  readonly settings: Settings
  readonly care: () => SiteCare
}

export function withdrawalsRoutes(register: Register, parts: WithdrawalsParts): void {
  const { ctx, passwords, settings, care } = parts
  const pins = createPins({ ctx, passwords })
  const { isLocked, repliesOf, replyOf } = ownReplies(parts)

  register(calls.withdrawMethods, async ({ user, language }) => {
    const siteReason = closedReason(settings.current, ctx.now(), language)
    const ownReason =
      (await withdrawalBlockReason(ctx.db, user.userId)) ?? (await pauseReason(parts, user.userId, language))
    const details = await findDetails(ctx.db, ctx.vault, user.userId)
    const methods = await listGateways(ctx.db, 'withdraw')
    return answer({
      methods: methods.map((method) => toMethodReply(method, details.get(method.id) ?? null)),
      withdraw_status: siteReason === null && ownReason === null ? 1 : 0,
      withdraw_reason: siteReason ?? ownReason ?? '',
      image_path: GATEWAY_IMAGE_PATH,
    })
  })
  register(calls.withdrawMethod, async ({ user, params }) => {
    const method = await findGateway(ctx.db, 'withdraw', params.id)
    if (!method) return refuse('not_found')
    const details = (await findDetails(ctx.db, ctx.vault, user.userId)).get(method.id) ?? null
    return answer({
      method: toMethodReply(method, details),
      withdrawal_information: informationOf(method, details ?? {}),
    })
  })
  register(calls.saveWithdrawMethod, async ({ user, body, language }) => {
    if (await needsConfirmation(ctx, user, { always: true })) return refuse('confirmation_needed')
    const details = givenDetails(body.withdrawal_information)
    const saved = await saveDetails(ctx, { userId: user.userId, methodId: body.withdraw_method_id, details })
    if (!saved.ok) return saved
    const method = toMethodReply(saved.value.method, saved.value.details)
    return answer({ method }, { message: message('message.updated', language) })
  })
  register(calls.withdrawals, async ({ user, query, language }) => {
    const { withdrawals, total } = await listWithdrawals(ctx.db, ctx.vault, user.userId, sliceOf(query))
    return answer({ withdrawals: await repliesOf(user.userId, withdrawals, language) }, metaOf(query, total))
  })
  register(calls.saveWithdrawal, async ({ user, body, language }) => {
    if (await needsConfirmation(ctx, user)) return refuse('confirmation_needed')
    const request = {
      userId: user.userId,
      methodId: body.method_id,
      methodVersion: body.method_version ?? null,
      amount: body.amount,
      pin: body.withdrawal_code,
      fields: givenDetails(body.fields ?? {}),
      isConfirmed: !(await needsConfirmation(ctx, user, { always: true })),
      clientRequestId: body.client_request_id ?? null,
    }
    const isCancelLocked = await isLocked(user.userId)
    const done = await requestWithdrawal({ ctx, pins }, request, settings.current)
    if (!done.ok) return done
    const withdrawal = done.value.isRepeated
      ? await replyOf(done.value, language)
      : newReply(done.value, language, isCancelLocked)
    return answer({ withdrawal }, { message: message('message.withdrawal_requested', language) })
  })
  register(calls.cancelWithdrawal, async ({ user, params, language }) => {
    const own = { userId: user.userId, trx: params.trx }
    const done = await cancelWithdrawal(ctx, { ...own, isLockFixed: care().isLockFixed })
    if (!done.ok) return done
    const text = message('message.withdrawal_cancelled', language)
    return answer({ withdrawal: await replyOf(done.value, language) }, { message: text })
  })
  register(calls.saveWithdrawalPin, async ({ user, body, language }) => {
    if (await needsConfirmation(ctx, user, { always: true })) return refuse('confirmation_needed')
    const done = await pins.set(user.userId, {
      current: body.current_withdrawal_code ?? '',
      next: body.withdrawal_code,
      confirmation: body.withdrawal_code_confirmation,
    })
    if (!done.ok) return done
    return answer({ withdrawal_code_enabled: true } as const, { message: message('message.updated', language) })
  })
}

/** Returns why this user's withdrawals are paused after a change, or null. */
async function pauseReason(
  { ctx, settings }: WithdrawalsParts,
  userId: string,
  language: Language,
): Promise<string | null> {
  const pause = { hours: settings.current.withdrawalPauseHours, now: ctx.now() }
  const until = await withdrawalsWaitUntil(ctx.db, userId, pause)
  return until === null ? null : message('refusal.withdrawals_paused', language, { time: minuteText(until) })
}

function ownReplies({ ctx, care }: WithdrawalsParts) {
  const isLocked = (userId: string) => isCancellingLocked(ctx.db, userId, care().isLockFixed)
  async function repliesOf(
    userId: string,
    withdrawals: readonly Withdrawal[],
    language: Language,
  ): Promise<WithdrawalOut[]> {
    return loadReplies(ctx.db, withdrawals, language, await isLocked(userId))
  }
  async function replyOf(withdrawal: Withdrawal, language: Language): Promise<WithdrawalOut> {
    const [reply] = await repliesOf(withdrawal.userId, [withdrawal], language)
    assert(reply, 'each withdrawal has a reply')
    return reply
  }
  return { isLocked, repliesOf, replyOf }
}

/** Returns why the site has closed withdrawals and until when, or null. */
function closedReason(
  { withdrawalsClosedUntil: until, withdrawReason }: Settings['current'],
  now: Instant,
  language: Language,
): string | null {
  if (until === null || until <= now) return null
  return `${withdrawReason} ${message('message.withdrawals_open_at', language, { time: minuteText(until) })}`
}
