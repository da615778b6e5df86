import { render, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { queryClient } from '#web/api/query.tsx'
import { PricesScreen } from '#web/screens/prices/prices-screen.tsx'

beforeEach(() => queryClient.clear())

const AT = '2026-03-18T10:00:00.000Z'
const TEXT = JSON.stringify({
  v: 1,
  kind: 'sources',
  n: 1,
  program: '0.1.0 source',
  providers: [
    { name: 'binance', kind: 'binance', stream: 'data-stream.binance.vision', rest: 'data-api.binance.vision' },
    { name: 'own:prices.example.com', kind: 'finnhub', stream: 'prices.example.com' },
  ],
  limits: { spikeBp: 100 },
  symbols: [
    {
      code: 'BTC',
      id: 1,
      decimals: 2,
      rounding: 'half-even',
      sources: [{ provider: 'binance', symbol: 'BTCUSDT', channel: 'trade', class: 'ids' }],
    },
    {
      code: 'AAPL',
      id: 2,
      decimals: 2,
      rounding: 'half-even',
      sources: [{ provider: 'own:prices.example.com', symbol: 'AAPL', channel: 'trade', class: 'none' }],
      limits: { spikeBp: 7 },
    },
    ...['EURUSD', 'GBPUSD'].map((code, place) => ({
      code,
      id: 3 + place,
      decimals: 5,
      rounding: 'half-even',
      sources: [{ provider: 'synthetic', symbol: code, channel: 'trade', class: 'computed' }],
    })),
  ],
  applies_ms: 0,
  previous: '0'.repeat(64),
})
const version = (number: number) => ({ number, hash: 'ab'.repeat(32), seen_at: AT, applies_at: AT })

function serve(data: object) {
  fakeApi({ 'GET /proof/sources': { body: { data } } })
}

test('the screen shows hosts, classes, limits, changes and certificates', async () => {
  const peer = { host: 'data-stream.binance.vision', issuer: 'CN=Some Authority', subject: 'CN=x', not_after: AT }
  serve({
    in_force: { ...version(1), text: TEXT },
    versions: [version(2), version(1)],
    clock: {
      at: AT,
      error_ms: -300,
      clocks: [
        { source: 'binance', low_ms: -340, high_ms: -300 },
        { source: 'finnhub', low_ms: null, high_ms: 80 },
      ],
    },
    peers: [{ ...peer, spki_sha256: 'cd'.repeat(32), first_at: AT, last_at: AT, count: 3 }],
  })
  render(<PricesScreen />)
  expect(await screen.findByText('data-stream.binance.vision · data-api.binance.vision')).toBeTruthy()
  expect(screen.getByText('own:prices.example.com AAPL')).toBeTruthy()
  expect(screen.getByText(/Public record of every trade/)).toBeTruthy()
  expect(screen.getByText(/No public record/)).toBeTruthy()
  expect(screen.getByText('EURUSD, GBPUSD')).toBeTruthy()
  expect(screen.getByText('spikeBp 7')).toBeTruthy()
  expect(screen.getByText('spikeBp 100')).toBeTruthy()
  expect(screen.getAllByRole('link', { name: 'Exact text' }).map((link) => link.getAttribute('href'))).toEqual([
    '/api/proof/sources/2',
    '/api/proof/sources/1',
  ])
  expect(screen.getByText(/Counts from/)).toBeTruthy()
  expect(screen.getByText('Proven error: -300 ms')).toBeTruthy()
  expect(screen.getByText('binance: ahead by -340 to -300 ms')).toBeTruthy()
  expect(screen.getByText('finnhub: ahead by at most 80 ms')).toBeTruthy()
  expect(screen.getByText('cd'.repeat(32))).toBeTruthy()
  expect(screen.getByText('Issued by CN=Some Authority')).toBeTruthy()
})

test('the screen says that nothing is published yet', async () => {
  serve({ in_force: null, versions: [], clock: null, peers: [] })
  render(<PricesScreen />)
  expect(await screen.findByText('Nothing has been published yet.')).toBeTruthy()
})
