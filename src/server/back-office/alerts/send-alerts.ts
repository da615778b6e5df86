import { createHmac } from 'node:crypto'
import { SECOND_MS, toIso } from '#core/time/instant.ts'
import {
  claimDeliveries,
  type DueDelivery,
  noteDelivery,
  openWebhook,
  type Webhook,
} from '#server/back-office/alerts/alert-channels.queries.ts'
import { alertText } from '#server/back-office/alerts/alert-text.ts'
import { findAlert, type StoredAlert } from '#server/back-office/alerts/alerts.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { staffText } from '#server/platform/i18n/staff-texts.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { deliveryFailure } from '#server/platform/messenger/delivery-failure.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import type { Outgoing, OutgoingReply } from '#server/platform/outgoing/outgoing.ts'
import type { Settings } from '#server/settings/site-settings.ts'

export interface SendAlertsParts {
  readonly ctx: Ctx
  readonly messenger: Messenger
  readonly outgoing: Outgoing
  readonly settings: Settings
  readonly publicUrl: string | null
}

/** Sends messages about alerts each second. A receiver that hangs delays no other. Returns a function that stops it. */
export function sendAlertsPeriodically(parts: SendAlertsParts): () => Promise<void> {
  const { ctx } = parts
  const running = new Set<Promise<void>>()
  const stop = runPeriodically(ctx, {
    pauseMs: () => SECOND_MS,
    run: async () => {
      for (const delivery of await claimDeliveries(ctx.db, ctx.now())) {
        const sending = deliver(parts, delivery)
          .catch((error: unknown) => ctx.log.warn({ err: error }, 'a message about an alert could not be noted'))
          .finally(() => running.delete(sending))
        running.add(sending)
      }
    },
    failure: 'messages about alerts are not sent',
  })
  return async () => {
    await stop()
    await Promise.all(running)
  }
}

async function deliver(parts: SendAlertsParts, delivery: DueDelivery): Promise<void> {
  const { ctx } = parts
  const failure = await trySend(parts, delivery)
  await noteDelivery(ctx.db, delivery.id, failure === null ? { doneAt: ctx.now() } : { failure })
  if (failure !== null && delivery.isLastTry) ctx.log.error({ failure }, 'a message about an alert was given up')
}

/**
 * Returns the failure code when a message was not sent, or null. Codes replace the texts of errors, because these texts
 * can contain addresses.
 */
async function trySend(
  parts: SendAlertsParts,
  { id, alertId, mail, channelId, sealed }: DueDelivery,
): Promise<string | null> {
  const alert = await findAlert(parts.ctx.db, alertId)
  if (alert === null) return 'gone'
  if (channelId === null) {
    try {
      await mailAlert(parts, { to: mail, id, alert })
      return null
    } catch (error) {
      const { reason, code } = deliveryFailure(error)
      return code ?? reason
    }
  }
  if (sealed === null) return 'gone'
  const reply = await postAlert(parts, openWebhook(parts.ctx.vault, channelId, sealed), { id, alert })
  return reply.ok ? null : failureCode(reply)
}

/** Returns the code of a failure, followed by the HTTP status if the receiver answered with one. */
export function failureCode({ failure, status }: Extract<OutgoingReply, { ok: false }>): string {
  return status === null ? failure : `${failure} ${status}`
}

/** The id of a message and its alert. `id` is the same for every try. */
interface AlertMessage {
  readonly id: string
  readonly alert: Pick<StoredAlert, 'id' | 'rule' | 'severity' | 'facts' | 'openedAt'>
}

/** Mails one message about an alert. Throws when the mail server does not accept it. */
export async function mailAlert(
  { messenger, settings, publicUrl }: SendAlertsParts,
  { to, id, alert }: AlertMessage & { readonly to: string },
): Promise<void> {
  const text = alertText(alert.rule, alert.facts)
  const name = staffText(`staff_alerts.rule_${alert.rule}`, {})
  const mark = staffText(`staff_alerts.severity_${alert.severity}`, {})
  await messenger.send({
    id,
    to,
    kind: 'staff_alert',
    subject: `${settings.current.siteName}: ${name} (${mark})`,
    text: [text, linkTo(publicUrl, alert.id)].filter((line) => line !== '').join('\n\n'),
    code: '',
  })
}

/** Posts one message about an alert, signed so that the receiver can refuse forged and old ones. */
export async function postAlert(
  { ctx, outgoing, settings, publicUrl }: SendAlertsParts,
  { url, secret }: Webhook,
  { id, alert }: AlertMessage,
): Promise<OutgoingReply> {
  const failure = await outgoing.refusalOf(url)
  if (failure !== null) return { ok: false, failure, status: null }
  const body = JSON.stringify({
    id,
    alert: alert.id,
    rule: alert.rule,
    severity: alert.severity,
    opened_at: toIso(alert.openedAt),
    text: `${settings.current.siteName}: ${alertText(alert.rule, alert.facts)}`,
    link: linkTo(publicUrl, alert.id),
  })
  const time = String(Math.floor(ctx.now() / SECOND_MS))
  return await outgoing.send(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'fairwick-time': time,
      'fairwick-signature': `v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`,
    },
    body,
  })
}

function linkTo(publicUrl: string | null, alertId: string): string {
  return publicUrl === null ? '' : `${publicUrl}/admin/alerts/${alertId}`
}
