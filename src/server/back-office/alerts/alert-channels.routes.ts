import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { StaffRefusalCode } from '#contract/back-office/staff-refusals.ts'
import { readDeliveryFailure } from '#core/alerts/delivery-failure.ts'
import { ok, refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { recordAction } from '#server/audit/record-action.ts'
import {
  deleteChannel,
  findMail,
  findWebhook,
  insertChannel,
  listChannels,
  storeMail,
} from '#server/back-office/alerts/alert-channels.queries.ts'
import { failureCode, mailAlert, postAlert, type SendAlertsParts } from '#server/back-office/alerts/send-alerts.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import { staffText } from '#server/platform/i18n/staff-texts.ts'
import { deliveryFailure } from '#server/platform/messenger/delivery-failure.ts'
import { isOutgoingUrl, type OutgoingRefusal } from '#server/platform/outgoing/outgoing.ts'

const MAX_WEBHOOKS = 3
const REFUSALS = {
  private: 'channel_private',
  port: 'channel_port',
  not_found: 'channel_not_found',
} as const satisfies Record<OutgoingRefusal, StaffRefusalCode>
/** 32 bytes: the secret of a webhook is as long as the SHA-256 signature. */
const SECRET_BYTES = 32

/** Registers the calls for the caller's own channels. No call reaches the channels of another staff member. */
export function alertChannelsRoutes(register: RegisterStaff, parts: SendAlertsParts): void {
  const { ctx } = parts
  register(staffCalls.staffAlertChannels, async ({ staff: { staffId } }) => {
    const { address, isOn } = await findMail(ctx.db, staffId)
    const webhooks = await listChannels(ctx.db, staffId)
    return ok({
      mail: { address, is_on: isOn },
      webhooks: webhooks.map(({ id, host, hint, createdAt }) => ({ id, host, hint, created_at: toIso(createdAt) })),
    })
  })

  register(staffCalls.staffSetAlertMail, async ({ body: { is_on: isOn }, staff: { staffId, name }, actor }) => {
    await ctx.db.transaction().execute(async (tx) => {
      await storeMail(tx, staffId, isOn)
      await recordAction(tx, ctx, actor, { target: name, outcome: 'done', after: { is_on: isOn } })
    })
    return ok(null)
  })

  register(staffCalls.staffAddAlertChannel, async ({ body: { url }, staff: { staffId, name }, actor }) => {
    if (!isOutgoingUrl(url)) return refuse('channel_address')
    const refusal = await parts.outgoing.refusalOf(url)
    if (refusal !== null) return refuse(REFUSALS[refusal])
    const id = ctx.newId()
    const secret = Buffer.from(ctx.randomBytes(SECRET_BYTES)).toString('base64url')
    return await ctx.db.transaction().execute(async (tx) => {
      // Additions run one after the other, so that two parallel additions cannot exceed the limit.
      await tx.selectFrom('staff').select('id').where('id', '=', staffId).forUpdate().execute()
      if ((await listChannels(tx, staffId)).length >= MAX_WEBHOOKS)
        return refuse('too_many_channels', { params: { count: MAX_WEBHOOKS } })
      await insertChannel(tx, ctx.vault, { id, staffId, url, secret, now: ctx.now() })
      await recordAction(tx, ctx, actor, { target: name, outcome: 'done', after: { host: new URL(url).host } })
      return ok({ id, secret })
    })
  })

  register(staffCalls.staffTestAlertChannel, async ({ params: { id }, staff: { staffId, name }, actor }) => {
    const begun = ctx.clock.steady()
    const outcome = id === 'mail' ? await testMail(parts, staffId) : await testWebhook(parts, { id, staffId })
    if (outcome === null) return refuse('not_found')
    if (outcome.failure === 'mail_needed') return refuse('mail_needed')
    const { to, failure } = outcome
    await recordAction(ctx.db, ctx, actor, {
      target: name,
      outcome: failure === '' ? 'done' : 'failed',
      after: { host: to, failure },
    })
    if (failure === 'private' || failure === 'port' || failure === 'not_found') return refuse(REFUSALS[failure])
    if (failure !== '') return refuse('channel_failed', { params: { why: whyOf(failure) } })
    return ok({ took_ms: Math.round(ctx.clock.steady() - begun) })
  })

  register(staffCalls.staffRemoveAlertChannel, async ({ params: { id }, staff: { staffId, name }, actor }) => {
    const host = await ctx.db.transaction().execute(async (tx) => {
      const removed = await deleteChannel(tx, { id, staffId })
      if (removed !== null)
        await recordAction(tx, ctx, actor, { target: name, outcome: 'done', before: { host: removed } })
      return removed
    })
    return host === null ? refuse('not_found') : ok(null)
  })
}

/**
 * Returns the reason of a failure as text. For a code from a mail server there is one general text, followed by the
 * code.
 */
function whyOf(failure: string): string {
  const { name, status } = readDeliveryFailure(failure)
  const text = staffText(`staff_alerts.failure_${name}`, { status })
  return name === 'mail' ? `${text} ${staffText('staff_alerts.failure_code', { code: failure })}` : text
}

/** The result of a test message. An empty `failure` means that the receiver accepted the message. */
interface TestOutcome {
  readonly to: string
  readonly failure: string
}

async function testMail(parts: SendAlertsParts, staffId: string): Promise<TestOutcome> {
  const { address } = await findMail(parts.ctx.db, staffId)
  if (address === '') return { to: 'mail', failure: 'mail_needed' }
  try {
    await mailAlert(parts, { to: address, ...testMessage(parts) })
    return { to: 'mail', failure: '' }
  } catch (error) {
    const { code, reason } = deliveryFailure(error)
    return { to: 'mail', failure: code ?? reason }
  }
}

async function testWebhook(
  parts: SendAlertsParts,
  { id, staffId }: { readonly id: string; readonly staffId: string },
): Promise<TestOutcome | null> {
  const webhook = await findWebhook(parts.ctx.db, parts.ctx.vault, { id, staffId })
  if (webhook === null) return null
  const reply = await postAlert(parts, webhook, testMessage(parts))
  return { to: webhook.host, failure: reply.ok ? '' : failureCode(reply) }
}

function testMessage({ ctx }: Pick<SendAlertsParts, 'ctx'>) {
  const alert = { id: ctx.newId(), rule: 'test', severity: 'today', facts: {}, openedAt: ctx.now() }
  return { id: ctx.newId(), alert }
}
