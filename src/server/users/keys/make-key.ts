import type { z } from 'zod'
import type { makeKey as makeKeyContract } from '#contract/keys.ts'
import { formatApiKey, MAX_KEY_ADDRESSES, MAX_KEYS } from '#core/accounts/api-keys.ts'
import { assert, ok, refuse, type Result } from '#core/result.ts'
import { DAY_MS, later } from '#core/time/instant.ts'
import { makeToken } from '#server/platform/credentials/session-token.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { lockAccount } from '#server/users/accounts/users.queries.ts'
import { parseRange } from '#server/users/keys/address-list.ts'
import { hashKeySecret } from '#server/users/keys/authenticate-key.ts'
import { insertKey, listKeys } from '#server/users/keys/keys.queries.ts'

type Form = z.output<typeof makeKeyContract.body>
/** The refusals that need more than the schema of the call, which makes the other refusals. */
type MakeKeyRefusal =
  | 'confirmation_needed'
  | 'key_read_only'
  | 'key_addresses_invalid'
  | 'key_anywhere_unconfirmed'
  | 'too_many_keys'

const ID_BYTES = 8

/** The user of a new key. */
export interface KeyOwner {
  readonly userId: string
  /** Whether the session of the user still exists and its confirmation is fresh. */
  readonly isConfirmed: (tx: Tx) => Promise<boolean>
}

/** Makes an API key. Only the hash of its secret is stored, so the returned text cannot be read again. */
export async function makeKey(
  { ctx, mode }: { readonly ctx: Ctx; readonly mode: 'demo' | 'live' },
  { userId, isConfirmed }: KeyOwner,
  form: Form,
): Promise<Result<{ readonly id: string; readonly secret: string }, MakeKeyRefusal>> {
  const refusal = refusalOf(form, mode)
  if (refusal !== null) return refuse(refusal)
  const id = Buffer.from(ctx.randomBytes(ID_BYTES)).toString('hex')
  const secret = makeToken((count) => ctx.randomBytes(count))
  return await ctx.db.transaction().execute(async (tx) => {
    // The lock makes keys of a user be made one after the other, so that the limit holds.
    const account = await lockAccount(tx, { userId })
    assert(account, 'the caller has an account')
    // While the lock was awaited, a new password or a block may have ended the keys of the user. A key that is made
    // after that would survive it.
    if (!account.maySignIn || !(await isConfirmed(tx))) return refuse('confirmation_needed')
    const now = ctx.now()
    if ((await listKeys(tx, userId, now)).length >= MAX_KEYS)
      return refuse('too_many_keys', { params: { most: MAX_KEYS } })
    await insertKey(tx, {
      userId,
      id,
      secretHash: hashKeySecret(secret),
      name: form.name,
      scope: form.scope,
      addresses: form.addresses,
      maxStake: form.max_stake ?? null,
      maxStakeDay: form.max_stake_day ?? null,
      maxOpenOrders: form.max_open_orders ?? null,
      createdAt: now,
      expiresAt: later(now, form.days * DAY_MS),
    })
    return ok({ id, secret: formatApiKey({ id, secret }) })
  })
}

function refusalOf({ scope, addresses, anywhere }: Form, mode: 'demo' | 'live') {
  if (scope === 'trade' && mode === 'live') return 'key_read_only'
  if (addresses.length > MAX_KEY_ADDRESSES || addresses.some((text) => parseRange(text) === null))
    return 'key_addresses_invalid'
  return scope === 'trade' && addresses.length === 0 && !anywhere ? 'key_anywhere_unconfirmed' : null
}
