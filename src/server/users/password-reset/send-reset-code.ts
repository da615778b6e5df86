import { CODE_LIFETIME_MS, makeCode } from '#core/accounts/one-time-code.ts'
import { readResetAddress, type ResetAddress } from '#core/accounts/reset-address.ts'
import { assert, type Result, ok, refuse } from '#core/result.ts'
import { HOUR_MS, later } from '#core/time/instant.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import { hashToken, makeToken } from '#server/platform/credentials/session-token.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type Attempt, consumeAttempts } from '#server/platform/limits/attempt-limits.ts'
import { strangerAsker } from '#server/platform/limits/fair-queue.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import { deliveryFailure } from '#server/platform/messenger/delivery-failure.ts'
import { recipientAttempts } from '#server/users/accounts/limit-messages.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import { message } from '#server/platform/i18n/messages.ts'
import {
  findProvenAddress,
  insertReset,
  isDeviceOfAddress,
  RESET_PASSWORD,
} from '#server/users/password-reset/password-reset.queries.ts'
import { deviceKey } from '#server/users/sessions/devices.queries.ts'
import type { Settings } from '#server/settings/site-settings.ts'

/**
 * 1 h: the limit of messages to an address can block further messages for one hour. The last sent link works until
 * then.
 */
const LINK_LIFETIME_MS = HOUR_MS

export interface ResetParts {
  readonly ctx: Ctx
  readonly passwords: Passwords
  readonly messenger: Messenger
  readonly settings: Settings
  /** The site's public address for links. Without it, messages contain only the code. */
  readonly publicUrl: string | null
}

export interface ResetRequester {
  readonly address: string
  readonly device: string | null
}

/** Sends password reset codes after the reply. */
export interface ResetCodes {
  /**
   * Returns the secret of the request. The code attempts of the browser that sends this secret are counted separately.
   */
  send(value: string, from: ResetRequester): Promise<Result<string, 'too_many_attempts'>>
  /** Resolves when all pending messages are sent. */
  idle(): Promise<void>
}

interface Secrets {
  readonly code: string
  readonly codeHash: string
  readonly request: string
}

/**
 * Creates the sender of reset codes. Its replies do not reveal whether an account exists. Limits count requests by the
 * typed text, a code is hashed even for unknown addresses, and storing and sending happen after the reply.
 */
export function createResetCodes(parts: ResetParts): ResetCodes {
  const { ctx, passwords } = parts
  const sending = new Set<Promise<void>>()
  return {
    async send(value, from) {
      const address = readResetAddress(value)
      const device = await ownDeviceKey(ctx, from.device, address)
      // Requests from other devices do not use up the limit of the owner's device.
      const key = `${device ?? subnetOf(from.address)} ${attemptKey(address, value)}`
      const attempts: Attempt[] = [
        ...(device === null ? [{ limit: 'reset_request_network', key: subnetOf(from.address) } as const] : []),
        { limit: 'reset_request_minute', key },
        { limit: 'reset_request_hour', key },
      ]
      const wait = await consumeAttempts(ctx, attempts)
      if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
      const code = makeCode((count) => ctx.randomBytes(count))
      const request = makeToken((count) => ctx.randomBytes(count))
      const codeHash = await passwords.hash(code, strangerAsker(from.address))
      const job = deliver(parts, { address, device, secrets: { code, codeHash, request } })
        .catch((error: unknown) => ctx.log.error(deliveryFailure(error), 'cannot send a password reset code'))
        .finally(() => sending.delete(job))
      sending.add(job)
      return ok(request)
    },
    idle: async () => void (await Promise.all(sending)),
  }
}

/**
 * 7 digits: the spellings of a number differ only in front of them, by the dialling code, a trunk zero or the code of a
 * carrier.
 */
const COUNTED_DIGITS = 7

/**
 * Returns one key for all spellings of an address. Two phone numbers with equal last digits share a key. The key does
 * not depend on the accounts, so a limit does not reveal whether a number is known. Malformed addresses are counted too.
 */
export function attemptKey(address: ResetAddress | null, value: string): string {
  if (address === null) return value.trim().toLowerCase()
  return address.kind === 'email' ? address.email : address.digits.slice(-COUNTED_DIGITS)
}

/**
 * Returns a short key of the device for limits, when an account that verified the address has logged in with it.
 * Otherwise null.
 */
export async function ownDeviceKey(
  ctx: Ctx,
  device: string | null,
  address: ResetAddress | null,
): Promise<string | null> {
  if (device === null || address === null) return null
  return (await isDeviceOfAddress(ctx.db, device, address)) ? `device ${deviceKey(device)}` : null
}

async function deliver(
  { ctx, messenger, settings, publicUrl }: ResetParts,
  { address, device, secrets }: { address: ResetAddress | null; device: string | null; secrets: Secrets },
): Promise<void> {
  const proven = address === null ? null : await findProvenAddress(ctx.db, address)
  if (proven === null) return
  // Limits the messages to one recipient. The limit does not lock out the owner, because every sent link works for one
  // hour.
  const cause = `${RESET_PASSWORD} ${device ?? 'unknown'}`
  if ((await consumeAttempts(ctx, recipientAttempts(cause, proven.recipient))) > 0) return
  const link = makeToken((count) => ctx.randomBytes(count))
  const [requestHash, linkHash] = [hashToken(secrets.request), hashToken(link)]
  assert(requestHash && linkHash, 'a token we make can be read')
  const now = ctx.now()
  const reset = {
    id: ctx.newId(),
    requestHash,
    linkHash,
    address: proven.recipient,
    codeHash: secrets.codeHash,
    createdAt: now,
    codeExpiresAt: later(now, CODE_LIFETIME_MS),
    expiresAt: later(now, LINK_LIFETIME_MS),
  }
  await insertReset(
    ctx.db,
    reset,
    proven.accounts.map(({ id: userId }) => ({ id: ctx.newId(), userId })),
  )
  const names = proven.accounts.map(({ username }) => username).join(', ')
  const params = { code: secrets.code, site: settings.current.siteName, name: names }
  const text = [message('mail.reset_text', proven.language, params)]
  if (publicUrl !== null) {
    const url = new URL(`/reset-password?code=${link}`, publicUrl).href
    text.push(message('mail.reset_link', proven.language, { link: url }))
  }
  await messenger.send({
    to: proven.recipient,
    kind: RESET_PASSWORD,
    code: secrets.code,
    isProven: true,
    subject: message('mail.reset_subject', proven.language, params),
    text: text.join('\n\n'),
  })
}
