import { z } from 'zod'

/**
 * The kline message of the exchanges, field by field. Prices and volumes are decimal text with eight decimals. Fields
 * that the tick log does not record have the values of a minute without trades.
 */
export const KlineMessage = z.object({
  e: z.literal('kline'),
  E: z.number().meta({ description: 'When its newest price was received, milliseconds.' }),
  s: z.string(),
  k: z.object({
    t: z.number().meta({ description: 'Open time, milliseconds.' }),
    T: z.number().meta({ description: 'Close time, milliseconds, inclusive.' }),
    s: z.string(),
    i: z.string(),
    f: z.literal(-1).meta({ description: 'First trade: not told.' }),
    L: z.literal(-1).meta({ description: 'Last trade: not told.' }),
    o: z.string(),
    c: z.string(),
    h: z.string(),
    l: z.string(),
    v: z.string(),
    n: z.literal(0).meta({ description: 'Number of trades: not told.' }),
    x: z.boolean().meta({ description: 'The candle has closed.' }),
    q: z.string().meta({ description: 'Volume in the quote currency: not told, zero.' }),
    V: z.string().meta({ description: 'Volume of takers who bought: not told, zero.' }),
    Q: z.string().meta({ description: 'The same in the quote currency: not told, zero.' }),
    B: z.literal('0'),
  }),
})
export type KlineMessage = z.output<typeof KlineMessage>
