import { z } from 'zod'

/** `/ws/<product>@kline_<interval>`: the exchanges' kline message; prices and volume are decimal text. */
export const KlineMessage = z.object({
  e: z.literal('kline'),
  E: z.number(),
  s: z.string(),
  k: z.object({
    t: z.number().meta({ description: 'Open time, milliseconds.' }),
    T: z.number().meta({ description: 'Close time, milliseconds, inclusive.' }),
    s: z.string(),
    i: z.string(),
    o: z.string(),
    h: z.string(),
    l: z.string(),
    c: z.string(),
    v: z.string(),
    x: z.boolean().meta({ description: 'The candle has closed.' }),
  }),
})
export type KlineMessage = z.output<typeof KlineMessage>
