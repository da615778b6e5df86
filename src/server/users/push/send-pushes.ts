import webPush from 'web-push'
import { type NoticeKind, pushTopic } from '#core/accounts/notices.ts'
import { DAY_MS, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { quietUntil } from '#core/time/quiet-hours.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import type { Outgoing, OutgoingReply } from '#server/platform/outgoing/outgoing.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { countUnread } from '#server/users/accounts/unread-notices.queries.ts'
import {
  claimPushes,
  type DuePush,
  endPush,
  giveUpPush,
  holdPush,
  type MessageAddress,
  postponePush,
} from '#server/users/push/push-deliveries.queries.ts'
import { getPushKey } from '#server/users/push/push-keys.queries.ts'
import { noteDelivered, openAddress, removeEndedDevice } from '#server/users/push/push-subscriptions.queries.ts'
import { pushMessage, pushTag, shortPushMessage, testMessage } from '#server/users/push/push-text.ts'

/** 60 s: a user who tries a device waits for the message, so a later delivery would be useless. */
const TEST_LIFE_SECONDS = 60

export interface SendPushesParts {
  readonly ctx: Ctx
  readonly outgoing: Pick<Outgoing, 'send'>
  readonly settings: Settings
  readonly publicUrl: string | null
}

/** Sends notices to devices each second. Returns a function that stops it. */
export function sendPushesPeriodically(parts: SendPushesParts): () => Promise<void> {
  return runPeriodically(parts.ctx, {
    pauseMs: () => SECOND_MS,
    run: () => sendPushes(parts),
    failure: 'notices are not sent to devices',
  })
}

/**
 * Sends the messages that are due. A message can go out twice only if the server stops after it sent the message and
 * before it deleted the delivery. Both copies then have the same name, so the second replaces the first.
 */
export async function sendPushes(parts: SendPushesParts): Promise<void> {
  let due: DuePush[]
  do {
    due = await claimPushes(parts.ctx.db, parts.ctx.now())
    const byDevice = new Map<string, DuePush[]>()
    for (const push of due) byDevice.set(push.device.id, [...(byDevice.get(push.device.id) ?? []), push])
    await Promise.all(Array.from(byDevice.values(), (pushes) => sendToDevice(parts, pushes)))
  } while (due.length > 0)
}

async function sendToDevice(parts: SendPushesParts, due: readonly DuePush[]): Promise<void> {
  const ready: DuePush[] = []
  for (const push of due) if (await isReady(parts.ctx, push)) ready.push(push)
  // The messages are sent at the same time, so that even with a slow push service all are sent before the claim ends.
  const [first, ...others] = ready.filter(({ isHeld }) => isHeld)
  await Promise.all([
    ...ready.filter(({ isHeld }) => !isHeld).map((push) => deliver(parts, [push])),
    ...(first === undefined ? [] : [deliver(parts, [first, ...others])]),
  ])
}

/** Returns how long after its notice a message may still be sent. A price alert is useless after 10 minutes. */
function lifeMs(kind: NoticeKind): number {
  return kind === 'price_alert' ? 10 * MINUTE_MS : DAY_MS
}

/**
 * Returns whether a message must be sent now. Otherwise, drops a message that is too old or about a price alert, or
 * lets it wait for the end of the quiet hours.
 */
async function isReady(ctx: Ctx, push: DuePush): Promise<boolean> {
  const { kind, at, device } = push
  const until = device.quiet && pushTopic(kind) !== 'security' ? quietUntil(device.quiet, ctx.now()) : null
  if (kind === 'price_alert' && until !== null) {
    // The alert is in the inbox, and would be too old for a message when the quiet hours end.
    await endPush(ctx.db, push)
    return false
  }
  if (later(at, lifeMs(kind)) <= ctx.now()) {
    await giveUpPush(ctx.db, push)
    ctx.log.warn({ kind }, 'a notice was too old for a device')
    return false
  }
  if (until !== null) await holdPush(ctx.db, push, until)
  return until === null
}

type Pushes = readonly [DuePush, ...DuePush[]]

/**
 * Sends one message about one notice, or about all notices that waited for the end of the quiet hours. Logs a failure
 * without the address.
 */
async function deliver(parts: SendPushesParts, pushes: Pushes): Promise<void> {
  const { ctx } = parts
  const [{ userId, device, kind, isLastTry }] = pushes
  try {
    const reply = await send(parts, pushes)
    if (reply.ok) {
      for (const push of pushes) await endPush(ctx.db, push)
      await noteDelivered(ctx.db, { userId, id: device.id }, ctx.now())
      return
    }
    const { status, failure, retryAfterMs } = reply
    if (hasNoSubscription(status)) {
      await removeEndedDevice(ctx.db, { userId, id: device.id, sealed: device.sealed })
      ctx.log.info({ status }, 'a push service ended a device')
      return
    }
    if (retryAfterMs !== undefined)
      for (const push of pushes) await postponePush(ctx.db, push, later(ctx.now(), retryAfterMs))
    const isOurs = status === 400 || status === 401 || status === 403
    const facts = { kind, failure, status }
    if (isOurs) ctx.log.error(facts, 'a push service refuses the messages of this site')
    else if (isLastTry) ctx.log.error(facts, 'a notice to a device was given up')
    else ctx.log.warn(facts, 'a notice could not be sent to a device, and is tried again')
  } catch (error) {
    // The text of an error can contain the address.
    const name = error instanceof Error ? error.name : 'unknown'
    ctx.log.error({ kind, name }, 'a notice could not be written for a device')
  }
}

/** Returns whether a push service replied that the subscription has ended (RFC 8030). */
function hasNoSubscription(status: number | null): boolean {
  return status === 404 || status === 410
}

/**
 * Sends a message with which a user tries a device. Returns whether the push service accepted it. If the push service
 * has ended the subscription, deletes the device.
 */
export async function sendTest(parts: SendPushesParts, userId: string, device: MessageAddress): Promise<boolean> {
  const { ctx, settings, publicUrl } = parts
  const unread = await countUnread(ctx.db, userId)
  // Each message has a new name, so that it does not replace an earlier message on the device.
  const tag = ctx.newId().replaceAll('-', '')
  const text = testMessage(device, { site: settings.current.siteName, publicUrl, unread, tag })
  const reply = await postTo(parts, device, { text, topic: tag, lifeSeconds: TEST_LIFE_SECONDS, isUrgent: true })
  const place = { userId, id: device.id }
  if (reply.ok) await noteDelivered(ctx.db, place, ctx.now())
  else if (hasNoSubscription(reply.status)) await removeEndedDevice(ctx.db, { ...place, sealed: device.sealed })
  else
    ctx.log.warn({ failure: reply.failure, status: reply.status }, 'a push service took no message that tries a device')
  return reply.ok
}

async function send(parts: SendPushesParts, pushes: Pushes): Promise<OutgoingReply> {
  const { ctx, settings, publicUrl } = parts
  const words = {
    site: settings.current.siteName,
    publicUrl,
    unread: await countUnread(ctx.db, pushes[0].userId),
  }
  const reply = await post(parts, pushes, pushMessage(pushes, words))
  if (reply.ok || reply.status !== 413) return reply
  return await post(parts, pushes, shortPushMessage(pushes, words))
}

async function post(parts: SendPushesParts, pushes: Pushes, text: string): Promise<OutgoingReply> {
  const [{ device, kind, at }] = pushes
  const leftMs = later(at, lifeMs(kind)) - parts.ctx.now()
  return await postTo(parts, device, {
    text,
    topic: pushTag(pushes),
    // The minimum is needed because the time of a notice can be ahead of the clock of this server.
    lifeSeconds: Math.min(Math.ceil(leftMs / SECOND_MS), lifeMs(kind) / SECOND_MS),
    isUrgent: pushTopic(kind) === 'security',
  })
}

interface Message {
  readonly text: string
  /**
   * The name of the message. If the push service still holds an earlier message of the same name, this message replaces
   * it.
   */
  readonly topic: string
  readonly lifeSeconds: number
  readonly isUrgent: boolean
}

/** Sends one message to the push service of a device. */
async function postTo(
  { ctx, outgoing, publicUrl }: SendPushesParts,
  device: MessageAddress,
  { text, topic, lifeSeconds, isUrgent }: Message,
): Promise<OutgoingReply> {
  const { endpoint, p256dh, auth } = openAddress(ctx.vault, device.id, device.sealed)
  const { publicKey, privateKey } = await getPushKey(ctx, device.keyId)
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
    vapidDetails: { subject: subjectOf(publicUrl), publicKey, privateKey },
    TTL: lifeSeconds,
    topic,
    urgency: isUrgent ? 'high' : 'normal',
    contentEncoding: 'aes128gcm',
  })
  return await outgoing.send(endpoint, { method: 'POST', headers: asTexts(headers), body })
}

/**
 * Returns the contact address that push services require. Without a public https address, returns an invalid address.
 */
function subjectOf(publicUrl: string | null): string {
  return publicUrl?.startsWith('https:') === true ? publicUrl : 'mailto:push@demo.invalid'
}

function asTexts(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
