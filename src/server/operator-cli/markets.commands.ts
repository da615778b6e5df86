import { z } from 'zod'
import { type Command, defineCommand, refused, said } from '#server/operator-cli/command.ts'
import { MarketTypeText, Name, Words } from '#server/operator-cli/inputs.ts'
import { closeMarket } from '#server/market-data/hours/close-market.ts'
import { closeSymbol } from '#server/market-data/hours/close-symbol.ts'

export const marketsCommands: readonly Command[] = [
  defineCommand({
    name: 'markets close',
    summary:
      'Takes no new orders on crypto, us_stocks or us_fx. Everyone reads the reason; open orders settle as ever.',
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
    summary: 'Leaves a market to its calendar again.',
    takes: ['type'],
    options: {},
    input: z.object({ type: MarketTypeText }),
    effect: 'changes',
    run: async ({ ctx, catalogue }, { type }, actor) => {
      const done = await closeMarket(ctx, catalogue, { marketType: type, reason: null, actor })
      return said(
        !done.ok || done.value.before === null
          ? `${type} was not closed by hand.`
          : `${type} follows its calendar again.`,
      )
    },
  }),
  defineCommand({
    name: 'symbols close',
    summary: 'Takes no new orders on one symbol. Everyone reads the reason; open orders settle as ever.',
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
    summary: 'Opens a symbol again.',
    takes: ['code'],
    options: {},
    input: z.object({ code: Name }),
    effect: 'changes',
    run: async ({ ctx, catalogue }, { code }, actor) => {
      const done = await closeSymbol(ctx, catalogue, { code, reason: null, actor })
      if (!done.ok) return refused(`There is no symbol ${code}.`)
      const { code: known, before } = done.value
      return said(before === null ? `${known} was not closed by hand.` : `${known} is open while its market is.`)
    },
  }),
]
