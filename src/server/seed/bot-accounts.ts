import { transfer } from '#core/ledger/transfer.ts'
import { type Money, money } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import { FALLBACK_LANGUAGE } from '#messages/languages.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { insertUser } from '#server/users/accounts/users.queries.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'

const NAMES = ['robin_bot', 'finch_bot', 'heron_bot', 'swift_bot', 'plover_bot', 'martin_bot']
const FUNDS: Money = money(10_000_000n)

/**
 * Creates a demo's bot accounts, once, and returns their ids.
 * Each account is marked as a bot, funded with virtual money through the ledger, and has an unusable password.
 */
export async function ensureBotAccounts(ctx: Ctx, unusablePasswordHash: string): Promise<string[]> {
  const existing = await ctx.db
    .selectFrom('app_user')
    .select(['id', 'username'])
    .where('is_bot', '=', true)
    .orderBy('id')
    .execute()
  const ids = existing.map((bot) => bot.id)
  for (const username of NAMES) {
    if (existing.some((bot) => bot.username === username)) continue
    ids.push(await createBot(ctx, username, unusablePasswordHash))
  }
  return ids
}

async function createBot(ctx: Ctx, username: string, passwordHash: string): Promise<string> {
  const id = ctx.newId()
  const paidIn = ctx.newId()
  await ctx.db.transaction().execute(async (tx) => {
    const isNew = await insertUser(tx, {
      id,
      username,
      email: null,
      mobile: '',
      mobileCode: '',
      countryCode: '',
      passwordHash,
      invitationCode: null,
      language: FALLBACK_LANGUAGE,
      verified: true,
      isBot: true,
      createdAt: ctx.now(),
    })
    assert(isNew, 'nobody else has the name of a bot')
    await postTransfers(tx, [funds(id, paidIn)], ctx.now())
  })
  return id
}

const funds = (userId: string, ref: string) => transfer('demo_funds', { userId, ref, amount: FUNDS })

/** Gives a bot new virtual money when it has lost its money. */
export async function refillBot(ctx: Ctx, userId: string): Promise<void> {
  const ref = ctx.newId()
  await ctx.db.transaction().execute((tx) => postTransfers(tx, [funds(userId, ref)], ctx.now()))
}
