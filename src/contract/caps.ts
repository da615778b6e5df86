import { z } from 'zod'
import { CAP_SCOPES } from '#core/markets/terms/cap-subject.ts'
import { defineCall } from '#contract/call.ts'
import { IsoTime, MoneyOut } from '#contract/wire.ts'

export const proofCaps = defineCall({
  method: 'GET',
  path: '/proof/caps',
  who: 'anyone',
  key: 'read',
  summary: 'The caps in force, and how many orders they refused in the last 30 days. How full a cap is stays private.',
  reply: z.object({
    caps: z.array(
      z.object({
        scope: z.enum(CAP_SCOPES).meta({
          description: 'Orders of a symbol with one minute of expiry, of a symbol, of a market, or of the site.',
        }),
        key: z.string().meta({ description: 'The code of the symbol, the market, or `all`.' }),
        most: MoneyOut.meta({ description: 'The largest sum of profits if all open buys, or all open sells, won.' }),
        since: IsoTime,
      }),
    ),
    refused: z.array(
      z.object({
        day: z.iso.date().meta({ description: 'In UTC.' }),
        symbol: z.string(),
        direction: z.enum(['buy', 'sell']),
        orders: z.number().int(),
      }),
    ),
  }),
  refusals: [],
})
