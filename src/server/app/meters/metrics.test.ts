import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createMetrics } from '#server/platform/metrics/metrics.ts'
import { type OpsServer, startOpsServer } from '#server/app/health/ops-server.ts'
import type { NotReady } from '#server/app/health/readiness.ts'
import { BTC } from '#test/support/market-fixtures.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase({ emptied: 'once' })
let app: TestApp
beforeAll(async () => {
  app = await createTestApp(database, { environment: { FAIRWICK_METRICS_PORT: '0' } })
  await app.start()
})
afterAll(async () => {
  await app.stop()
})

const metrics = async () => await (await fetch(`${app.opsAddress()}/metrics`)).text()

describe('the metrics for operators', () => {
  it('listen on a separate port, with queues, prices, orders and the ledger state', async () => {
    app.feed.tick(BTC.id, 100_00, app.ctx.now())
    app.ctx.clock.advance(1_000)
    await app.inject({ method: 'GET', url: '/api/user/crypto-currency/list' })
    const text = await vi.waitUntil(async () => {
      const page = await metrics()
      return page.includes('\nfairwick_ticks_total 1\n') && page
    })
    for (const line of [
      'fairwick_ready 1',
      'fairwick_takes_orders 1',
      'fairwick_orders_waiting 0',
      'fairwick_receipts_waiting 0',
      'fairwick_ticks_leads 1',
      'fairwick_ledger_clean 1',
      'fairwick_sockets 0',
    ]) {
      expect(text).toContain(`\n${line}\n`)
    }
    expect(text).toMatch(/fairwick_price_age_seconds\{symbol="BTC"\} [\d.]+/)
    expect(text).toMatch(/fairwick_http_seconds_count\{route="\/api\/user\/crypto-currency\/list",status="2xx"\} 1/)
    expect(text).toMatch(/\nfairwick_ledger_whole_seconds \d{10}/)
    expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds/)
  })

  it('count unused trades by provider and reason, and count the ticks that the tick log rejected', async () => {
    const source = { symbolId: BTC.id, provider: 'one', providerSymbol: 'B', state: 'well', isUsed: true } as const
    const quiet = { ...source, newestAt: null, heardAt: null }
    const sources = [
      { ...quiet, unused: { condition: 3, spike: 1 } },
      { ...quiet, symbolId: 2, unused: { condition: 4 } },
    ]
    Object.assign(app.feed, {
      sources: () => sources,
      unplaced: () => [{ provider: 'one', unused: { unreadable: 2 } }],
    })
    app.feed.tick(BTC.id, 100_00, app.ctx.now() + 10_000)
    const text = await metrics()
    for (const line of [
      'fairwick_trades_unused_total{provider="one",reason="condition"} 7',
      'fairwick_trades_unused_total{provider="one",reason="spike"} 1',
      'fairwick_trades_unused_total{provider="one",reason="unreadable"} 2',
      'fairwick_ticks_kept_out_total{reason="ahead"} 1',
      'fairwick_ticks_kept_out_total{reason="late"} 0',
    ]) {
      expect(text).toContain(`\n${line}\n`)
    }
    expect(await metrics()).toContain('fairwick_trades_unused_total{provider="one",reason="condition"} 7')
  })

  it('the metrics for operators are not served on the public address', async () => {
    const { headers, body } = await app.inject({ method: 'GET', url: '/metrics' })
    expect(JSON.stringify(headers)).not.toContain('version=0.0.4')
    expect(JSON.stringify(body)).not.toContain('fairwick_')
  })

  it('the metrics for operators are not served when no port is set', async () => {
    const other = await createTestApp(database)
    expect(other.opsAddress()).toBeNull()
  })
})

describe('the readiness endpoint', () => {
  let ops: OpsServer
  let reason: NotReady | null = null
  beforeAll(async () => {
    const readiness = { reason: () => reason, start: () => {}, drain: () => {}, stop: () => Promise.resolve() }
    ops = await startOpsServer({ host: '127.0.0.1', port: 0 }, { metrics: createMetrics(), readiness })
  })
  afterAll(() => ops.stop())
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(`${ops.address}${path}`, { method })
    return { status: answer.status, text: await answer.text() }
  }

  it('answers with the reason when not ready, and serves nothing else', async () => {
    expect(await ask('/healthz')).toEqual({ status: 200, text: 'ok\n' })
    expect(await ask('/readyz')).toEqual({ status: 200, text: 'ready\n' })
    reason = 'no prices'
    expect(await ask('/readyz')).toEqual({ status: 503, text: 'no prices\n' })
    expect(await ask('/')).toMatchObject({ status: 404 })
    expect(await ask('/metrics', 'POST')).toMatchObject({ status: 404 })
  })
})
