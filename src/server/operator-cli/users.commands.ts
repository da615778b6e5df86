import { z } from 'zod'
import { isReadableReason } from '#core/accounts/measures.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { moneyText } from '#core/money/money.ts'
import { type Command, defineCommand, refused, said } from '#server/operator-cli/command.ts'
import { Name, Words } from '#server/operator-cli/inputs.ts'
import { facts } from '#server/operator-cli/table.ts'
import { findUserId } from '#server/users/accounts/users.queries.ts'
import { findProfile } from '#server/users/accounts/profile.queries.ts'
import { setTradingAllowed } from '#server/users/administration/set-trading-allowed.ts'

export const usersCommands: readonly Command[] = [
  defineCommand({
    name: 'users show',
    summary: 'Shows a user with their balances.',
    takes: ['name'],
    options: {},
    input: z.object({ name: Name }),
    effect: 'looks',
    run: async ({ ctx }, { name }) => {
      const id = await findUserId(ctx.db, name)
      const profile = id === null ? null : await findProfile(ctx.db, id)
      if (!profile) return refused(`There is no user ${name}.`)
      return said(
        ...facts([
          ['Username', profile.username],
          ['Name', `${profile.firstName} ${profile.lastName}`.trim() || 'not given'],
          ['Email', profile.email ?? 'not given'],
          ['Phone number', `${profile.mobileCode} ${profile.mobile}`.trim()],
          ['Country', profile.countryCode || 'not given'],
          ['Verified', profile.verified ? 'yes' : 'no'],
          ['Withdrawal PIN', profile.hasPin ? 'set' : 'not set'],
          ['Can place orders', profile.mayTrade ? 'yes' : `no: ${profile.tradeReason}`],
          ['Available', `${moneyText(profile.cash)} ${BASE_CURRENCY}`],
          ['In open orders', `${moneyText(profile.staked)} ${BASE_CURRENCY}, ${profile.openOrders} orders`],
          ['Held for withdrawal', `${moneyText(profile.withdrawing)} ${BASE_CURRENCY}`],
          ['Credits', moneyText(profile.credits)],
        ]),
      )
    },
  }),
  defineCommand({
    name: 'users trade-status',
    summary:
      'Switches trading of a user on or off. With off, the user sees the reason, for 72 hours. Open orders settle as usual.',
    takes: ['name', 'status'],
    options: { reason: 'words' },
    input: z.object({ name: Name, status: z.enum(['on', 'off'], 'must be on or off'), reason: Words.optional() }),
    effect: 'changes',
    run: async ({ ctx }, { name, status, reason = '' }, actor) => {
      const mayTrade = status === 'on'
      if (!mayTrade && !isReadableReason(reason)) return refused('--reason is missing. The user reads it.')
      const done = await setTradingAllowed(ctx, { user: { username: name }, mayTrade, reason, actor, mode: 'live' })
      if (!done.ok)
        return refused(
          done.refusal === 'measure_used_up'
            ? 'The 72 hours within 30 days that one person can set this for are used up.'
            : `There is no user ${name}.`,
        )
      const { username } = done.value
      return said(mayTrade ? `${username} can place orders.` : `${username} can no longer place orders.`)
    },
  }),
]
