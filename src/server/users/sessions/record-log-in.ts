import { consumeAttempt } from '#server/platform/limits/attempt-limits.ts'
import { deviceName } from '#core/accounts/device-name.ts'
import { assert } from '#core/result.ts'
import { minuteText } from '#core/time/instant.ts'
import { openSession } from '#server/users/sessions/open-session.ts'
import type { Device } from '#server/platform/http/signed-in.ts'
import { hashToken, makeToken } from '#server/platform/credentials/session-token.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { deliveryFailure } from '#server/platform/messenger/delivery-failure.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import { type Language, message } from '#server/platform/i18n/messages.ts'
import {
  insertDevice,
  insertSignIn,
  type SignInWay,
  touchDevice,
  hasLoggedInFrom,
} from '#server/users/sessions/devices.queries.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { findRecipient } from '#server/users/accounts/one-time-codes.queries.ts'

/** The facts needed to open a session. */
export interface Entry {
  readonly userId: string
  readonly how: SignInWay
  readonly from: Device
  /** The device token from an earlier visit, or null. */
  readonly device: string | null
}

export interface Opened {
  readonly userId: string
  readonly token: string
  readonly device: string
}

/** The security changes that a user is notified of. */
export type SecurityNotice =
  | 'password'
  | 'authenticator_on'
  | 'authenticator_off'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recovery_used'
  | 'recovery_renewed'
  | 'username'
  | 'mobile'
  | 'pin'
  | 'payment_details'

/** Opens sessions, records log-ins, and notifies users of security changes. */
export interface LogInRecorder {
  open(tx: Tx, entry: Entry): Promise<Opened & { readonly isNewDevice: boolean }>
  /** Makes a browser a known device of the user. Returns its device token. */
  rememberDevice(tx: Tx, userId: string, device: string | null): Promise<string>
  /** Sends the notifications of a log-in. Must be called after the commit. */
  notifyLogIn(opened: { readonly userId: string; readonly isNewDevice: boolean }, entry: Entry): void
  /** Records a failed log-in, without a user for an unknown name. Both cases cost the same. */
  failed(userId: string | null, how: SignInWay, from: Device): Promise<void>
  /**
   * Notifies the user of a security change, by email, or by text message when there is no email address.
   * `numbers` are notified as well. Must be called after the commit.
   */
  notify(userId: string, what: SecurityNotice, numbers?: readonly string[]): void
  /** Resolves when all pending messages are sent. */
  idle(): Promise<void>
}

type Write = (language: Language) => { subject: string; text: string }

const MAX_USER_AGENT_LENGTH = 300
const agentOf = ({ userAgent }: Device): string => userAgent.slice(0, MAX_USER_AGENT_LENGTH)

export function createLogInRecorder({
  ctx,
  messenger,
  settings,
}: {
  readonly ctx: Ctx
  readonly messenger: Messenger
  readonly settings: Settings
}): LogInRecorder {
  const sending = new Set<Promise<void>>()

  /** Sends in the background, because a mail server may be slow. */
  function send(userId: string, kind: string, write: Write, numbers: readonly string[] = []): void {
    const job = deliver(userId, { kind, write, numbers })
      .catch((error: unknown) => ctx.log.error(deliveryFailure(error), 'cannot send a security notice'))
      .finally(() => sending.delete(job))
    sending.add(job)
  }

  async function deliver(
    userId: string,
    { kind, write, numbers }: { kind: string; write: Write; numbers: readonly string[] },
  ): Promise<void> {
    const recipient = await findRecipient(ctx.db, userId)
    if (recipient === null) return
    for (const to of new Set([recipient.address, ...numbers])) {
      // The app also reports new devices, so a text message is not worth its cost.
      if (kind === 'new_device' && !to.includes('@')) continue
      // Limits the messages that a thief's changes can cause.
      const wait = await consumeAttempt(ctx, { limit: 'message_recipient_hour', key: `${kind} ${to.toLowerCase()}` })
      if (wait === 0) await messenger.send({ to, kind, code: '', ...write(recipient.language) })
    }
  }

  return {
    rememberDevice: newDevice,
    async open(tx, { userId, how, from, device }) {
      const now = ctx.now()
      const at = { userAgent: agentOf(from), address: from.address }
      const isKnown = device !== null && (await touchDevice(tx, userId, device, now))
      const before = await hasLoggedInFrom(tx, userId, at)
      // At the first log-in there is no earlier device to compare with.
      const isNewDevice = !isKnown && !before.likeThis && before.ever
      const deviceToken = isKnown && device !== null ? device : await newDevice(tx, userId, device)
      await insertSignIn(tx, { id: ctx.newId(), userId, at: now, how, wentIn: true, isNewDevice, ...at })
      const token = await openSession(ctx, userId, { ...from, isConfirmed: how !== 'password' }, tx)
      return { userId, token, device: deviceToken, isNewDevice }
    },
    notifyLogIn({ userId, isNewDevice }, { how, from }) {
      if (how === 'recovery') this.notify(userId, 'recovery_used')
      if (!isNewDevice) return
      ctx.publish({ kind: 'new-device', userId, device: deviceName(from.userAgent) })
      const params = {
        site: settings.current.siteName,
        device: deviceName(from.userAgent) || '?',
        address: from.address,
        time: minuteText(ctx.now()),
      }
      send(userId, 'new_device', (language) => ({
        subject: message('mail.new_device_subject', language, params),
        text: message('mail.new_device_text', language, params),
      }))
    },
    failed: (userId, how, from) =>
      insertSignIn(ctx.db, {
        id: ctx.newId(),
        userId,
        at: ctx.now(),
        how,
        wentIn: false,
        isNewDevice: false,
        userAgent: agentOf(from),
        address: from.address,
      }),
    notify(userId, what, numbers) {
      const time = minuteText(ctx.now())
      const write: Write = (language) => {
        const params = { site: settings.current.siteName, what: message(`notice.${what}`, language), time }
        return {
          subject: message('mail.security_subject', language, params),
          text: message('mail.security_text', language, params),
        }
      }
      send(userId, 'security', write, numbers)
    },
    idle: async () => void (await Promise.all(sending)),
  }

  /** A browser that several users share keeps one device token. */
  async function newDevice(tx: Tx, userId: string, given: string | null): Promise<string> {
    const isToken = given !== null && hashToken(given) !== null
    const device = isToken ? given : makeToken((count) => ctx.randomBytes(count))
    const hash = hashToken(device)
    assert(hash, 'a token we make can be read')
    await insertDevice(tx, userId, hash, ctx.now())
    return device
  }
}
