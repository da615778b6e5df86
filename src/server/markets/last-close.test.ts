import { expect, it } from 'vitest'
import type { Candle } from '#core/markets/candle.ts'
import { price, volume } from '#core/money/price.ts'
import { instant } from '#core/time/instant.ts'
import { createLastClose } from '#server/markets/last-close.ts'

const candle: Candle = {
  openTime: instant(0),
  open: price(10),
  high: price(12),
  low: price(9),
  close: price(11),
  volume: volume(0),
}

it('is the close of the newest candle, asked for once', async () => {
  let asked = 0
  const lastClose = createLastClose({
    candles: () => {
      asked += 1
      return Promise.resolve([candle])
    },
  })
  expect(await Promise.all([lastClose(1), lastClose(1)])).toEqual([11, 11])
  expect(await lastClose(1)).toBe(11)
  expect(asked).toBe(1)
})

it('is null where there is no past, and asked for again after a failure', async () => {
  expect(await createLastClose({ candles: () => Promise.resolve([]) })(1)).toBeNull()
  let isDown = true
  const lastClose = createLastClose({
    candles: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve([candle])),
  })
  await expect(lastClose(1)).rejects.toThrow('down')
  isDown = false
  expect(await lastClose(1)).toBe(11)
})
