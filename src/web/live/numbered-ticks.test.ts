import { expect, it } from 'vitest'
import { numberedTicks } from '#web/live/numbered-ticks.ts'

it('numberedTicks returns only the ticks of the symbol that have sequence numbers', () => {
  const bitcoin = { s: 'BTCUSDT', c: 94_000.5, P: 1 }
  const messages = [
    { ...bitcoin, E: 1_000, q: 7 },
    { ...bitcoin, E: 1_100 },
    { ...bitcoin, E: 1_200, q: 8, past: true as const },
    { ...bitcoin, q: 9 },
    { s: 'AAPL', c: 200, P: 0, t: 1_300, q: 10 },
    { s: 'OANDA:EURUSD', c: 1.1, P: 0, t: 1_400, q: 11 },
  ]
  expect(numberedTicks(messages, 'BTC')).toEqual([{ q: 7, time: 1_000, price: 94_000.5 }])
  expect(numberedTicks(messages, 'AAPL')).toEqual([{ q: 10, time: 1_300, price: 200 }])
  expect(numberedTicks(messages, 'EURUSD')).toEqual([{ q: 11, time: 1_400, price: 1.1 }])
})
