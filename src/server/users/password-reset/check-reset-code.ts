import { readCode } from '#core/accounts/one-time-code.ts'
import { readResetAddress } from '#core/accounts/reset-address.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import { hashToken, sessionKey } from '#server/platform/credentials/session-token.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type Attempt, attemptsWereRight, consumeAttempts } from '#server/platform/limits/attempt-limits.ts'
import { strangerAsker } from '#server/platform/limits/fair-queue.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import {
  findProvenAddress,
  findResetByCode,
  findRecipientAccounts,
  findResetByLink,
  type ResetAccount,
} from '#server/users/password-reset/password-reset.queries.ts'
import { attemptKey, ownDeviceKey } from '#server/users/password-reset/send-reset-code.ts'

export interface GivenCode {
  /** The email address or phone number that the user typed. Null or empty if `code` is the token of a link. */
  readonly email: string | null
  /** Six digits, or the long token of the link. */
  readonly code: string
  /** The secret of the reset request, which only the browser that made the request knows. Null for other clients. */
  readonly request: string | null
  /** The caller's IP address. `device` is the caller's device token. */
  readonly from: string
  readonly device: string | null
}

export type CodeRefusal = 'code_wrong' | 'field_required' | 'too_many_attempts'

/** The reset request that a right code belongs to, and the accounts whose password it may set. */
export interface RightCode {
  readonly resetId: string
  readonly accounts: readonly [ResetAccount, ...ResetAccount[]]
}

/**
 * Checks a code against a reset request, without using it up. The attempts of the requesting browser are counted
 * separately, so attackers who try codes for an address do not lock out its owner. A link token cannot be guessed and
 * needs no limit. An address without an account gets the same limits, duration and reply as a wrong code.
 */
export async function checkResetCode(
  { ctx, passwords }: { readonly ctx: Ctx; readonly passwords: Passwords },
  given: GivenCode,
): Promise<Result<RightCode, CodeRefusal>> {
  const linkHash = hashToken(given.code.trim())
  if (linkHash !== null) return checkLink(ctx, linkHash)

  const email = given.email ?? ''
  if (email.trim() === '') return refuse('field_required', { params: { name: 'email' }, field: 'email' })
  const address = readResetAddress(email)
  const key = attemptKey(address, email)
  const requestHash = given.request === null ? null : hashToken(given.request)
  const attempts = attemptsOf({
    key,
    requestHash,
    network: (await ownDeviceKey(ctx, given.device, address)) ?? subnetOf(given.from),
  })
  const wait = await consumeAttempts(ctx, attempts)
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })

  const proven = address === null ? null : await findProvenAddress(ctx.db, address)
  const stored = await findResetByCode(ctx.db, { address: proven?.recipient ?? '', requestHash, now: ctx.now() })
  // A malformed code is verified too, so that its reply takes as long as the reply to a wrong code.
  const code = readCode(given.code)
  const isRight = await passwords.verify(stored?.codeHash ?? null, code ?? given.code, strangerAsker(given.from))
  if (proven === null || stored === null || !isRight || code === null) return refuse('code_wrong')
  await attemptsWereRight(ctx, attempts)
  return ok({ resetId: stored.id, accounts: proven.accounts })
}

async function checkLink(ctx: Ctx, linkHash: Uint8Array): Promise<Result<RightCode, 'code_wrong'>> {
  const reset = await findResetByLink(ctx.db, linkHash, ctx.now())
  const proven = reset === null ? null : await findRecipientAccounts(ctx.db, reset.address)
  if (reset === null || proven === null) return refuse('code_wrong')
  return ok({ resetId: reset.id, accounts: proven.accounts })
}

function attemptsOf(by: {
  readonly key: string
  readonly requestHash: Uint8Array | null
  /**
   * The caller's network, or the key of a known device. With a known device, neighbours on the same network do not use
   * up its attempts.
   */
  readonly network: string
}): Attempt[] {
  const network = { limit: 'reset_code_network', key: by.network } as const
  if (by.requestHash === null) {
    return [network, { limit: 'reset_code_address', key: by.key }, { limit: 'reset_code_total', key: 'all' }]
  }
  return [
    network,
    { limit: 'reset_code_request', key: sessionKey(by.requestHash) },
    // A made-up secret counts here too, so a key without the network would let strangers lock out the owner.
    { limit: 'reset_code_account', key: `${by.network} ${by.key}` },
  ]
}
