import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { IsoTime } from '#contract/wire.ts'
import { PUSH_TOPICS } from '#core/accounts/notices.ts'
import { isZone } from '#core/time/zone.ts'

const Minute = z.number().int().min(0).max(1_439)
const Quiet = z
  .object({ from: Minute, to: Minute })
  .nullable()
  .meta({ description: 'Minutes since midnight between which messages wait. Null: they never wait.' })
const Zone = z.string().max(64).refine(isZone, 'a time zone such as Europe/Berlin')

const PushDevice = z.object({
  id: z.string(),
  device: z.string().meta({ description: 'Browser and system; empty when neither is known.' }),
  current: z.boolean().meta({ description: 'The device of this session.' }),
  since: IsoTime,
  last_ok: IsoTime.nullable().meta({ description: 'When a push service last took a message.' }),
  amounts: z.boolean().meta({ description: 'Messages contain amounts, symbols and results.' }),
  quiet: Quiet,
})

const PushReply = z.object({
  key: z.string().meta({ description: 'The public VAPID key of this site, for `pushManager.subscribe`.' }),
  devices: z.array(PushDevice),
  topics: z.array(z.object({ topic: z.enum(PUSH_TOPICS), push: z.boolean() })),
})

export const push = defineCall({
  method: 'GET',
  path: '/user/push',
  who: 'verified',
  key: 'never',
  summary: 'The devices that show notices, and which notices they show.',
  reply: PushReply,
  refusals: [],
})

/** 2,000: the longest address of a known push service has about 600 characters. */
const MAX_ENDPOINT = 2_000

export const subscribePush = defineCall({
  method: 'POST',
  path: '/user/push/subscriptions',
  who: 'verified',
  key: 'never',
  summary:
    'Sends notices to the device of this session from now on, or renews its address. At most ten devices: the one that was silent the longest ends.',
  body: z.object({
    endpoint: z.string().max(MAX_ENDPOINT),
    keys: z.object({ p256dh: z.string().max(100), auth: z.string().max(40) }),
    key: z.string().max(100).meta({ description: 'The public VAPID key of the subscription.' }),
    zone: Zone,
  }),
  reply: PushReply,
  refusals: ['push_endpoint_refused', 'account_closing'],
})

export const changePush = defineCall({
  method: 'POST',
  path: '/user/push/subscriptions/:id',
  who: 'verified',
  key: 'never',
  summary: 'Changes what a device shows, and its quiet hours.',
  params: z.object({ id: z.uuid() }),
  body: z.object({ amounts: z.boolean(), quiet: Quiet, zone: Zone }),
  reply: PushReply,
  refusals: ['not_found'],
})

export const removePush = defineCall({
  method: 'POST',
  path: '/user/push/subscriptions/:id/remove',
  who: 'verified',
  key: 'never',
  summary: 'Ends the notices of a device.',
  params: z.object({ id: z.uuid() }),
  reply: PushReply,
  refusals: ['not_found'],
})

export const testPush = defineCall({
  method: 'POST',
  path: '/user/push/subscriptions/:id/test',
  who: 'verified',
  key: 'never',
  summary:
    'Sends a message to a device at once, so that its user sees whether notices arrive. Quiet hours do not hold it.',
  params: z.object({ id: z.uuid() }),
  reply: z.object({
    taken: z.boolean().meta({ description: 'Whether the push service of the device took the message.' }),
  }),
  refusals: ['not_found', 'too_many_attempts'],
})

export const choosePush = defineCall({
  method: 'POST',
  path: '/user/push/topics',
  who: 'verified',
  key: 'never',
  summary: 'Turns the messages about a topic on or off, for all devices and for notices from now on.',
  body: z.object({ topic: z.enum(PUSH_TOPICS), push: z.boolean() }),
  reply: PushReply,
  refusals: [],
})
