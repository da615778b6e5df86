import type { z } from 'zod'
import type { addPasskey as addPasskeyContract } from '#contract/security.ts'
import {
  readRecoveryCode,
  RECOVERY_CODE_BYTES,
  RECOVERY_CODES,
  recoveryCodeFrom,
} from '#core/accounts/recovery-code.ts'
import { type Result, assert, ok, refuse } from '#core/result.ts'
import { clearAttempts, consumeAttempt } from '#server/platform/limits/attempt-limits.ts'
import { makeSecret, secretUri, matchTotpStep } from '#server/platform/credentials/totp.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { userSecretPlace } from '#server/platform/encryption/sealed-details.ts'
import { hashRecoveryCode } from '#server/users/security/check-code.ts'
import {
  deleteAuthenticator,
  deletePasskey,
  findFactors,
  findSecret,
  hasSecondStep,
  insertPasskey,
  replaceRecoveryCodes,
  saveSecret,
  takeStep,
} from '#server/users/security/factors.queries.ts'
import { type PasskeySite, verifyNewPasskey } from '#server/users/security/passkeys.ts'
import { noteSecurityChange, tellSecurityChange } from '#server/users/security/security-change.queries.ts'
import { dropTickets, takeTicket } from '#server/users/security/tickets.ts'

const MAX_PASSKEYS = 10

/** Creates a secret for an authenticator app. It becomes active with its first code. */
export async function beginAuthenticator(
  ctx: Ctx,
  { userId, name, issuer }: { readonly userId: string; readonly name: string; readonly issuer: string },
): Promise<Result<{ readonly secret: string; readonly uri: string }, 'authenticator_on'>> {
  const secret = makeSecret((count) => ctx.randomBytes(count))
  const sealed = ctx.vault.encrypt(secret, userSecretPlace(userId))
  if (!(await saveSecret(ctx.db, { userId, sealed, at: ctx.now() }))) return refuse('authenticator_on')
  return ok({ secret, uri: secretUri(secret, { issuer, name }) })
}

/** Activates the authenticator with its first code. Returns recovery codes when it is the first second step. */
export async function turnOnAuthenticator(
  ctx: Ctx,
  userId: string,
  typed: string,
): Promise<Result<string[], 'second_code_wrong' | 'authenticator_on' | 'too_many_attempts'>> {
  const tries = { limit: 'second_step_setup', key: userId } as const
  const wait = await consumeAttempt(ctx, tries)
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
  const secret = await findSecret(ctx.db, userId)
  if (secret === null) return refuse('second_code_wrong')
  if (secret.isOn) return refuse('authenticator_on')
  const step = matchTotpStep(
    ctx.vault.decrypt(secret.sealed, userSecretPlace(userId)),
    typed.replace(/\s/g, ''),
    ctx.now(),
  )
  if (step === null) return refuse('second_code_wrong')
  const codes = await ctx.db.transaction().execute(async (tx) => {
    const before = await findFactors(tx, userId)
    if (!(await takeStep(tx, userId, { sealed: secret.sealed, step, turnOn: true }))) return null
    return codesAfterAdding(ctx, tx, { userId, wasFirst: !hasSecondStep(before), what: 'authenticator_on' })
  })
  if (codes === null) return refuse('second_code_wrong')
  await clearAttempts(ctx, tries)
  return ok(codes)
}

/** Removes the authenticator. Returns whether one existed. */
export async function turnOffAuthenticator(ctx: Ctx, userId: string): Promise<boolean> {
  return removing(ctx, userId, async (tx) => {
    if (!(await deleteAuthenticator(tx, userId))) return false
    await afterRemoving(ctx, tx, { userId, what: 'authenticator_off' })
    return true
  })
}

/** Stores a new passkey. Returns recovery codes when it is the first second step. */
export async function addPasskey(
  ctx: Ctx,
  site: PasskeySite | null,
  given: z.output<typeof addPasskeyContract.body> & { readonly userId: string },
): Promise<Result<string[], 'passkey_wrong' | 'ticket_over' | 'too_many_passkeys'>> {
  const { userId, response, name } = given
  const ticket = await takeTicket(ctx, ctx.db, given.ticket, 'passkey_add')
  if (ticket === null || ticket.userId !== userId || ticket.challenge === null) return refuse('ticket_over')
  const passkey = site === null ? null : await verifyNewPasskey(site, ticket.challenge, response)
  if (passkey === null) return refuse('passkey_wrong')
  return ctx.db.transaction().execute(async (tx) => {
    const before = await findFactors(tx, userId)
    if (before.passkeys.length >= MAX_PASSKEYS) return refuse('too_many_passkeys', { params: { most: MAX_PASSKEYS } })
    const isNew = await insertPasskey(tx, {
      userId,
      id: ctx.newId(),
      credentialId: passkey.id,
      publicKey: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports ?? [],
      name,
      createdAt: ctx.now(),
    })
    if (!isNew) return refuse('passkey_wrong')
    return ok(await codesAfterAdding(ctx, tx, { userId, wasFirst: !hasSecondStep(before), what: 'passkey_added' }))
  })
}

/** Removes a passkey. Returns whether it existed. */
export async function removePasskey(ctx: Ctx, own: { readonly userId: string; readonly id: string }): Promise<boolean> {
  return removing(ctx, own.userId, async (tx) => {
    if (!(await deletePasskey(tx, own))) return false
    await afterRemoving(ctx, tx, { userId: own.userId, what: 'passkey_removed' })
    return true
  })
}

/** When a second step is removed, the database ends the user's API keys, so caches of these keys are out of date. */
async function removing(ctx: Ctx, userId: string, remove: (tx: Tx) => Promise<boolean>): Promise<boolean> {
  const isRemoved = await ctx.db.transaction().execute(remove)
  if (isRemoved) ctx.publish({ kind: 'account-changed', userId })
  return isRemoved
}

/** Replaces the recovery codes. */
export async function renewRecoveryCodes(ctx: Ctx, userId: string): Promise<Result<string[], 'second_step_missing'>> {
  return ctx.db.transaction().execute(async (tx) => {
    if (!hasSecondStep(await findFactors(tx, userId))) return refuse('second_step_missing')
    await noteSecurityChange(tx, { userId, what: 'recovery_renewed', at: ctx.now() })
    return ok(await writeRecoveryCodes(ctx, tx, userId))
  })
}

/**
 * Creates recovery codes for the first second step. A first second step only makes the account safer, so withdrawals
 * are not paused. Adding a further second step pauses withdrawals, because an intruder might add it to return later.
 */
async function codesAfterAdding(
  ctx: Ctx,
  tx: Tx,
  {
    userId,
    wasFirst,
    what,
  }: { readonly userId: string; readonly wasFirst: boolean; readonly what: 'authenticator_on' | 'passkey_added' },
): Promise<string[]> {
  const changed = { userId, what, at: ctx.now() }
  if (wasFirst) {
    await tellSecurityChange(tx, changed)
    return writeRecoveryCodes(ctx, tx, userId)
  }
  await noteSecurityChange(tx, changed)
  return []
}

async function afterRemoving(
  ctx: Ctx,
  tx: Tx,
  { userId, what }: { readonly userId: string; readonly what: 'authenticator_off' | 'passkey_removed' },
): Promise<void> {
  await noteSecurityChange(tx, { userId, what, at: ctx.now() })
  await dropTickets(tx, userId)
  if (!hasSecondStep(await findFactors(tx, userId))) await replaceRecoveryCodes(tx, userId, [])
}

async function writeRecoveryCodes(ctx: Ctx, tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCodeFrom(ctx.randomBytes(RECOVERY_CODE_BYTES)))
  const hashes = codes.map((code) => {
    const plain = readRecoveryCode(code)
    assert(plain, 'a code we make can be read')
    return hashRecoveryCode(userId, plain)
  })
  await replaceRecoveryCodes(tx, userId, hashes)
  return codes
}
