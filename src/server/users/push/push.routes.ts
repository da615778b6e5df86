import { calls } from '#contract/calls.ts'
import { closingRefusal } from '#core/accounts/closing.ts'
import { PUSH_TOPICS } from '#core/accounts/notices.ts'
import { refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { findClosing } from '#server/ledger/closed-account.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { consumeAttempt } from '#server/platform/limits/attempt-limits.ts'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { isPushAddress } from '#server/users/push/push-address.ts'
import { findPushKeyId, newestPushKey } from '#server/users/push/push-keys.queries.ts'
import {
  changeDevice,
  findMessageAddress,
  findPushChoices,
  listDevices,
  removeDevice,
  savePushChoice,
  saveSubscription,
} from '#server/users/push/push-subscriptions.queries.ts'
import { sendTest } from '#server/users/push/send-pushes.ts'

interface PushParts {
  readonly ctx: Ctx
  readonly settings: Settings
  readonly publicUrl: string | null
  readonly outgoing: Pick<Outgoing, 'refusalOf' | 'send'>
  /** Hosts of push services that the operator allows in addition to the known push services. */
  readonly pushHosts: readonly string[]
}

interface Caller {
  readonly userId: string
  readonly tokenHash: Uint8Array
}

/** Registers the calls for the user's devices that show notices. */
export function pushRoutes(register: Register, parts: PushParts): void {
  const { ctx, outgoing, pushHosts } = parts
  const reply = async ({ userId, tokenHash }: Caller) => {
    const devices = await listDevices(ctx.db, { userId, sessionHash: tokenHash })
    const choices = await findPushChoices(ctx.db, userId)
    return answer({
      key: (await newestPushKey(ctx)).publicKey,
      devices: devices.map(({ id, device, isCurrent, since, deliveredAt, amounts, quiet }) => ({
        id,
        device,
        current: isCurrent,
        since: toIso(since),
        last_ok: deliveredAt && toIso(deliveredAt),
        amounts,
        quiet,
      })),
      // Until the user chooses, the database sends only messages about security.
      topics: PUSH_TOPICS.map((topic) => ({ topic, push: choices.get(topic) ?? topic === 'security' })),
    })
  }

  register(calls.push, async ({ user }) => await reply(user))
  register(calls.subscribePush, async ({ user, body: { endpoint, keys, key, zone } }) => {
    const { userId, tokenHash: sessionHash } = user
    const closing = await findClosing(ctx.db, userId)
    if (closing !== null) return closingRefusal(closing.erasesAt)
    const address = { endpoint, ...keys }
    const keyId = await findPushKeyId(ctx, key)
    if (keyId === null || !(await isPushAddress({ outgoing, hosts: pushHosts }, address)))
      return refuse('push_endpoint_refused')
    await saveSubscription(ctx, { userId, sessionHash, keyId, address, zone })
    return await reply(user)
  })
  register(calls.changePush, async ({ user, params: { id }, body }) => {
    const isOwn = await changeDevice(ctx.db, { userId: user.userId, id }, body)
    return isOwn ? await reply(user) : refuse('not_found')
  })
  register(calls.removePush, async ({ user, params: { id } }) => {
    const isOwn = await removeDevice(ctx.db, { userId: user.userId, id })
    return isOwn ? await reply(user) : refuse('not_found')
  })
  register(calls.testPush, async ({ user: { userId }, params: { id } }) => {
    const wait = await consumeAttempt(ctx, { limit: 'push_test', key: userId })
    if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
    const device = await findMessageAddress(ctx.db, { userId, id })
    if (device === null) return refuse('not_found')
    return answer({ taken: await sendTest(parts, userId, device) })
  })
  register(calls.choosePush, async ({ user, body: { topic, push } }) => {
    await savePushChoice(ctx.db, { userId: user.userId, topic, isOn: push })
    return await reply(user)
  })
}
