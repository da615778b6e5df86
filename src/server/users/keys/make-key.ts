import type { z } from 'zod'
import type { makeKey as makeKeyContract } from '#contract/keys.ts'
import { formatApiKey, MAX_KEY_ADDRESSES, MAX_KEYS } from '#core/accounts/api-keys.ts'
import { assert, ok, refuse, type Result } from '#core/result.ts'
import { DAY_MS, later } from '#core/time/instant.ts'
import { makeToken } from '#server/platform/credentials/session-token.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { lockAccount } from '#server/users/accounts/users.queries.ts'
import { parseRange } from '#server/users/keys/address-list.ts'
import { hashKeySecret } from '#server/users/keys/authenticate-key.ts'
import { insertKey, listKeys } from '#server/users/keys/keys.queries.ts'

type Form = z.output<typeof makeKeyContract.body>
/** The refusals that need more than the schema of the call, which makes the other refusals. */
type MakeKeyRefusal = 'key_read_only' | 'key_addresses_invalid' | 'key_anywhere_unconfirmed' | 'too_many_keys'

const ID_BYTES = 8

/** Makes an API key. Only the hash of its secret is stored, so the returned text cannot be read again. */
export async function makeKey(
  { ctx, mode }: { readonly ctx: Ctx; readonly mode: 'demo' | 'live' },
  userId: string,
  form: Form,
): Promise<Result<{ readonly id: string; readonly secret: string }, MakeKeyRefusal>> {
  const refusal = refusalOf(form, mode)
  if (refusal !== null) return refuse(refusal)
  const id = Buffer.from(ctx.randomBytes(ID_BYTES)).toString('hex')
  const secret = makeToken((count) => ctx.randomBytes(count))
  const isStored = await ctx.db.transaction().execute(async (tx) => {
    // The lock makes keys of a user be made one after the other, so that the limit holds.
    assert(await lockAccount(tx, { userId }), 'the caller has an account')
    const now = ctx.now()
    if ((await listKeys(tx, userId, now)).length >= MAX_KEYS) return false
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
    return true
  })
  if (!isStored) return refuse('too_many_keys', { params: { most: MAX_KEYS } })
  return ok({ id, secret: formatApiKey({ id, secret }) })
}

function refusalOf({ scope, addresses, anywhere }: Form, mode: 'demo' | 'live') {
  if (scope === 'trade' && mode === 'live') return 'key_read_only'
  if (addresses.length > MAX_KEY_ADDRESSES || addresses.some((text) => parseRange(text) === null))
    return 'key_addresses_invalid'
  return scope === 'trade' && addresses.length === 0 && !anywhere ? 'key_anywhere_unconfirmed' : null
}
