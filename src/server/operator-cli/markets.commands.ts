import { z } from 'zod'
import { type Command, defineCommand, refused, said } from '#server/operator-cli/command.ts'
import { MarketTypeText, Name, Words } from '#server/operator-cli/inputs.ts'
import { closeMarket } from '#server/market-data/hours/close-market.ts'
import { closeSymbol } from '#server/market-data/hours/close-symbol.ts'

export const marketsCommands: readonly Command[] = [
  defineCommand({
    name: 'markets close',
    summary: 'Closes crypto, us_stocks or us_fx for new orders. Users see the reason. Open orders settle as usual.',
    takes: ['type'],
    options: { reason: 'words' },
    input: z.object({ type: MarketTypeText, reason: Words }),
    effect: 'changes',
    run: async ({ ctx, catalogue }, { type, reason }, actor) => {
      await closeMarket(ctx, catalogue, { marketType: type, reason, actor })
      return said(`${type} is closed: ${reason}`)
    },
  }),
  defineCommand({
    name: 'markets open',
    summary: 'Ends a manual closure: the market follows its calendar again.',
    takes: ['type'],
    options: {},
    input: z.object({ type: MarketTypeText }),
    effect: 'changes',
    run: async ({ ctx, catalogue }, { type }, actor) => {
      const done = await closeMarket(ctx, catalogue, { marketType: type, reason: null, actor })
      return said(
        !done.ok || done.value.before === null
          ? `${type} was not closed manually.`
          : `${type} follows its calendar again.`,
      )
    },
  }),
  defineCommand({
    name: 'symbols close',
    summary: 'Closes one symbol for new orders. Users see the reason. Open orders settle as usual.',
    takes: ['code'],
    options: { reason: 'words' },
    input: z.object({ code: Name, reason: Words }),
    effect: 'changes',
    run: async ({ ctx, catalogue }, { code, reason }, actor) => {
      const done = await closeSymbol(ctx, catalogue, { code, reason, actor })
      return done.ok ? said(`${done.value.code} is closed: ${reason}`) : refused(`There is no symbol ${code}.`)
    },
  }),
  defineCommand({
    name: 'symbols open',
    summary: 'Ends the manual closure of a symbol.',
    takes: ['code'],
    options: {},
    input: z.object({ code: Name }),
    effect: 'changes',
    run: async ({ ctx, catalogue }, { code }, actor) => {
      const done = await closeSymbol(ctx, catalogue, { code, reason: null, actor })
      if (!done.ok) return refused(`There is no symbol ${code}.`)
      const { code: known, before } = done.value
      return said(before === null ? `${known} was not closed manually.` : `${known} is open while its market is open.`)
    },
  }),
]
