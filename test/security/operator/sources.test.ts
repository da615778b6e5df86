import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import type { LogNote } from '#core/markets/log-text.ts'
import { toHex } from '#core/proof/bytes.ts'
import { readQuotePrice, readQuoteVolume } from '#core/markets/sources/read-quote.ts'
import { entryHash } from '#core/register/entry.ts'
import { assert } from '#core/result.ts'
import { HOUR_MS, instant, MINUTE_MS, toIso } from '#core/time/instant.ts'
import { examineConfig } from '#server/app/config/config.ts'
import { BatchWriter } from '#server/market-data/tick-log/batch-writer.ts'
import type { BufferedTick } from '#server/market-data/tick-log/tick-buffer.ts'
import { chooseFeed } from '#server/market-data/feeds/choose-feed.ts'
import type { LookUpHost } from '#server/market-data/feeds/multi-source/private-hosts.ts'
import { configurationOf, listSourceVersions } from '#server/market-data/source-versions/source-versions.queries.ts'
import { projectFile } from '#server/platform/runtime/project-files.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { readWire } from '#test/support/providers/read-wire.ts'
import { dayCsv } from '#test/support/day-csv.ts'
import { createTestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const NOWHERE: LookUpHost = () => Promise.resolve([])

interface Row {
  readonly provider: object
  readonly name?: string
  readonly limits?: object
}

function fileOf({ provider, name = 'binance', limits }: Row): string {
  const sources = [{ provider: name, symbol: 'BTCUSDT' }]
  return JSON.stringify({ providers: { [name]: provider }, symbols: [{ code: 'BTC', sources, limits }] })
}

/** Chooses the feed of a configuration file as a server start does. The default is live mode. */
async function start(
  row: Row,
  {
    ctx = createTestContext(database.db),
    mode = 'live',
    lookUp = NOWHERE,
  }: { ctx?: ReturnType<typeof createTestContext>; mode?: 'demo' | 'live'; lookUp?: LookUpHost } = {},
) {
  const place = { kind: 'text', text: fileOf(row) } as const
  const feeds = { kind: 'file', place, keyOf: () => undefined, seed: 'seed' } as const
  return await chooseFeed({ mode, feeds }, ctx, true, lookUp)
}

async function problemsOf(row: Row, lookUp?: LookUpHost): Promise<readonly string[]> {
  const chosen = await start(row, lookUp && { lookUp })
  return 'problems' in chosen ? chosen.problems : []
}

/** Starts a chosen feed for a moment. Returns what the feed reports about its configuration. */
async function firstWords(row: Row, options: Parameters<typeof start>[1]) {
  const chosen = await start(row, options)
  assert('feed' in chosen, 'the start is not refused')
  const said: { header?: string; pending: number[] } = { pending: [] }
  await chosen.feed.start({
    sources: (hash) => void (said.header = hash),
    tick: () => {},
    heartbeat: () => {},
    doubt: (symbolId, why) => void (why === 'pending' && said.pending.push(symbolId)),
  })
  await chosen.feed.stop()
  return { ...said, symbols: chosen.feed.symbols.map(({ code }) => code), changesAt: chosen.feed.changesAt ?? null }
}

describe('A50: a provider’s name on the operator’s own machine, by url', () => {
  const own = (url: string) => ({ kind: 'binance', url, restUrl: 'https://data-api.binance.vision' })

  it('A50: attack: binance on my own machine by url is refused', async () => {
    const problems = await problemsOf({ provider: own('wss://prices.my-broker.com') })
    expect(problems).toEqual([expect.stringContaining('source_name_reserved: providers.binance: ')])
    expect(await problemsOf({ provider: own('wss://binance.com.my-broker.com') })).toHaveLength(1)
    expect(await problemsOf({ provider: own('wss://notbinance.com') })).toHaveLength(1)
    expect(await problemsOf({ provider: { kind: 'binance' }, name: 'coinbase-2' })).toHaveLength(1)
    expect(await listSourceVersions(database.db)).toEqual([])
  })

  it.each([
    'wss://10.1.2.3',
    'wss://8.8.8.8',
    'wss://[::1]:9443',
    'wss://localhost',
    'wss://prices',
    'wss://prices.internal',
    'wss://prices.local.',
  ])('A50: refuses %s, which others cannot reach or whose name proves nothing', async (url) => {
    expect(await problemsOf({ provider: own(url), name: 'mine' })).toContainEqual(
      expect.stringContaining('source_host_private: providers.mine: '),
    )
  })

  it('A50: refuses a public name that resolves to a private network, and connections without encryption', async () => {
    const inside: LookUpHost = (host) =>
      Promise.resolve(host === 'data-stream.binance.vision' ? [{ address: '192.168.1.5', family: 4 }] : [])
    expect(await problemsOf({ provider: { kind: 'binance' } }, inside)).toEqual([
      'source_host_private: providers.binance: data-stream.binance.vision resolves to 192.168.1.5',
    ])
    expect(await problemsOf({ provider: own('ws://data-stream.binance.vision') })).toEqual([
      expect.stringContaining('tls_weakened: providers.binance: '),
    ])
  })

  it('A50: names any other host beside each price', async () => {
    await firstWords({ provider: own('wss://prices.my-broker.com'), name: 'mine' }, {})
    const [version] = await listSourceVersions(database.db)
    assert(version, 'it was published')
    const { providers, symbols } = configurationOf(version)
    expect(providers).toEqual([
      {
        name: 'own:prices.my-broker.com',
        kind: 'binance',
        stream: 'prices.my-broker.com',
        rest: 'data-api.binance.vision',
      },
    ])
    expect(symbols[0]?.sources[0]?.provider).toBe('own:prices.my-broker.com')
  })
})

describe('A51: a redirected network', () => {
  it.each([
    ['NODE_TLS_REJECT_UNAUTHORIZED', '0'],
    ['NODE_EXTRA_CA_CERTS', '/etc/own-ca.pem'],
    ['NODE_OPTIONS', '--use-openssl-ca'],
    ['https_proxy', 'http://10.0.0.1:3128'],
    ['ALL_PROXY', 'socks5://10.0.0.1'],
  ])('A51: live mode does not start with %s=%s', (name, value) => {
    const weakened = (mode: string) =>
      examineConfig({ FAIRWICK_MODE: mode, [name]: value }).problems.filter((text) => text.startsWith('tls_weakened'))
    expect(weakened('live')).toEqual([`tls_weakened: live mode does not start with ${name}`])
    expect(weakened('demo')).toEqual([])
  })
})

const folder = mkdtempSync(join(tmpdir(), 'fairwick-source-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Trade {
  readonly p: string
  readonly q: string
  readonly t: number
  readonly T: number
}
const TRADES = readWire('binance-spot-btcusdt-trade-20240808.jsonl.gz')
  .slice(0, 1_500)
  .map((text) => (JSON.parse(text) as { data: Trade }).data)
const FIRST = TRADES[0]?.t ?? 0

/**
 * Writes Binance's record of trades, as in its daily archives since 2025: with microseconds. Returns the file's path.
 */
function writeArchive(trades: readonly Trade[], name: string): string {
  const path = join(folder, name)
  writeFileSync(path, trades.map(({ t, p, q, T }) => `${t},${p},${q},0,${T}123,True,True`).join('\n'))
  return path
}
const ARCHIVE = writeArchive(TRADES, 'BTCUSDT-trades-2024-08-08.csv')

type Change = (trade: Trade) => { trade: Trade | null; note?: LogNote }
const DAY = '2024-08-08'

/** Returns the day file of the recorded trades after `change` has changed them. */
function logOf(change: Change, sources = 'a'.repeat(64)): string {
  const ticks: BufferedTick[] = []
  let notes: LogNote[] = []
  for (const one of TRADES) {
    const { trade, note } = change(one)
    if (note !== undefined) notes.push(note)
    if (trade === null) continue
    const [price, volume] = [readQuotePrice(trade.p, 2), readQuoteVolume(trade.q)]
    assert(price !== null && volume !== null, 'a recorded trade has a price')
    const [time, receivedAt] = [instant(trade.T), instant(trade.T + 20)]
    const fields = { symbolId: 1, price, volume, time, receivedAt, source: 'binance', ref: trade.t }
    ticks.push({ ...fields, sources, notes })
    notes = []
  }
  return dayCsv([new BatchWriter().draft(ticks, 1).payload], { symbol: 'BTC', decimals: 2 })
}

/** Checks a day of changed trades against Binance’s record. */
function checkLog(change: Change) {
  writeFileSync(join(folder, `ticks-${DAY}.csv`), logOf(change))
  const args = ['--log', folder, '--symbol', 'btc', '--from', `${DAY}T00:00`, '--to', `${DAY}T23:59:59`]
  const command = ['--import', 'tsx', projectFile('scripts/check-source.ts'), ...args, '--archive', ARCHIVE]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
  expect(stderr).toBe('')
  return { exitCode: status, lines: stdout.trimEnd().split('\n') }
}

const leftOut = (ref: number, why: 'spike' | 'number' | 'back'): LogNote => ({
  kind: 'x',
  symbolId: 1,
  source: 'binance',
  from: ref,
  to: ref,
  why,
})

describe('A53: false trades under the name of a provider', () => {
  it('A53: an honest log does not differ from the daily archive', () => {
    const honest = checkLog((trade) => ({ trade }))
    expect(honest).toEqual({ exitCode: 0, lines: ['BTC from binance: 1500 compared, 1500 equal'] })
  })

  it('A51: attack: false trades by hosts file and own CA: each false trade is found', () => {
    const { exitCode, lines } = checkLog((trade) => ({
      trade: trade.t % 2 === 0 ? trade : { ...trade, p: String(Number(trade.p) + 0.5) },
    }))
    expect(exitCode).toBe(1)
    expect(lines[1]).toBe(
      `  another price: 750 (${[0, 2, 4, 6, 8].map((n) => FIRST + n + (FIRST % 2 === 0 ? 1 : 0)).join(', ')}, …)`,
    )
  })

  it.each<[string, (trade: Trade) => { trade: Trade | null; note?: LogNote }, string]>([
    ['another price', (one) => ({ trade: one.t === FIRST + 700 ? { ...one, p: '61000.00' } : one }), 'another price'],
    ['another time', (one) => ({ trade: one.t === FIRST + 700 ? { ...one, T: one.T + 1 } : one }), 'another time'],
    [
      'one that was never made',
      (one) => ({ trade: one.t === FIRST + 1_499 ? { ...one, t: one.t + 5 } : one }),
      'in the log and never traded',
    ],
    [
      'one that was hidden as no number',
      (one) => (one.t === FIRST + 700 ? { trade: null, note: leftOut(one.t, 'number') } : { trade: one }),
      'left out for a reason that is not so',
    ],
    [
      'one that was hidden as too old',
      (one) => (one.t === FIRST + 700 ? { trade: null, note: leftOut(one.t, 'back') } : { trade: one }),
      'left out for a reason that is not so',
    ],
    [
      'one that was hidden as a spike',
      (one) => (one.t === FIRST + 700 ? { trade: null, note: leftOut(one.t, 'spike') } : { trade: one }),
      'left out for a reason that is not so',
    ],
  ])('A53: attack: one false trade a day: %s is found', (_, change, words) => {
    const { exitCode, lines } = checkLog(change)
    expect([exitCode, lines.at(-1)]).toEqual([1, expect.stringMatching(new RegExp(`^ {2}${words}: 1 \\(\\d+\\)$`))])
  })

  it('A53: the log itself reports a trade that is left out without a line as lost', () => {
    const { exitCode, lines } = checkLog((one) => ({ trade: one.t === FIRST + 700 ? null : one }))
    expect([exitCode, lines]).toEqual([
      0,
      ['BTC from binance: 1500 compared, 1499 equal', '  left out, with a reason: 1 lost'],
    ])
  })
})

const BINANCE = { kind: 'binance' }

describe('A52, A54: another configuration', () => {
  it('A52: attack: limits changed so that every price is a spike: known an hour before, counted, and shown by the check', async () => {
    const ctx = createTestContext(database.db)
    await firstWords({ provider: BINANCE }, { ctx })
    const { changesAt } = await firstWords({ provider: BINANCE, limits: { spikeBp: 1, spikeTicks: 0 } }, { ctx })
    expect(changesAt).toBe(ctx.now() + HOUR_MS + MINUTE_MS)
    const [changed] = await listSourceVersions(database.db)
    assert(changed, 'it was published')
    expect(configurationOf(changed).symbols[0]?.limits).toMatchObject({ spikeBp: 1, spikeTicks: 0 })
    const { exitCode, lines } = checkLog((one) =>
      one.t > FIRST && one.t < FIRST + 1_000 ? { trade: null, note: leftOut(one.t, 'spike') } : { trade: one },
    )
    expect(exitCode).toBe(1)
    expect(lines).toEqual([
      'BTC from binance: 1500 compared, 501 equal',
      '  left out, with a reason: 999 spike',
      expect.stringMatching(/^ {2}left out for a reason that is not so: \d+ \(/),
    ])
  })

  describe('A53: attack: the last trade before an expiry is called a spike', () => {
    const HIDDEN = FIRST + 700
    /** The recorded trades, with one price moved by half a percent. The usual limit of a spike is one percent. */
    const moved = TRADES.map((one) => (one.t === HIDDEN ? { ...one, p: (Number(one.p) * 1.005).toFixed(2) } : one))
    const archive = writeArchive(moved, 'moved.csv')
    const hide: Change = (one) => (one.t === HIDDEN ? { trade: null, note: leftOut(one.t, 'spike') } : { trade: one })

    /** Serves a log and the published configuration, with the given limit, as a site does. */
    async function checkSite(spikeBp: number, { isOtherText = false } = {}) {
      const ctx = createTestContext(database.db)
      await firstWords({ provider: BINANCE, limits: { spikeBp } }, { ctx })
      const [version] = await listSourceVersions(database.db)
      assert(version, 'the configuration is published')
      const { number, text: configuration } = version
      const hash = toHex(version.hash)
      const csv = logOf(hide, hash)
      const site = createServer(({ url }, response) => {
        if (url?.startsWith('/api/ticks/') === true) return void response.end(csv)
        const isList = url === '/api/proof/sources'
        const shown = { number, hash, text: isOtherText ? configuration.replace(`${spikeBp}`, '1') : configuration }
        response.end(JSON.stringify({ data: isList ? { versions: [{ number, hash }] } : shown }))
      }).listen(0, '127.0.0.1')
      await once(site, 'listening')
      try {
        const log = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
        const period = ['--from', `${DAY}T00:00`, '--to', `${DAY}T23:59:59`]
        const args = ['--log', log, '--symbol', 'BTC', ...period, '--archive', archive]
        const command = ['--import', 'tsx', projectFile('scripts/check-source.ts'), ...args]
        const check = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
        const [said, [exitCode]] = await Promise.all([text(check.stdout), once(check, 'close')])
        return { exitCode: exitCode as number, lines: said.trimEnd().split('\n') }
      } finally {
        site.close()
      }
    }

    it('the check finds a false spike when the price moved less than the published limit', async () => {
      const { exitCode, lines } = await checkSite(100)
      expect(lines.at(-1)).toBe(`  left out for a reason that is not so: 1 (${HIDDEN})`)
      expect(exitCode).toBe(1)
    })

    it('the check accepts a spike when the price moved more than the published limit', async () => {
      expect((await checkSite(20)).exitCode).toBe(0)
    })

    it('the check finds a site that shows another configuration than its log names', async () => {
      const { exitCode, lines } = await checkSite(100, { isOtherText: true })
      expect([exitCode, lines]).toEqual([1, [expect.stringMatching(/^The site shows another configuration/)]])
    })
  })

  it('A54: attack: configuration swapped by restart: the old configuration applies until the hour is over', async () => {
    const ctx = createTestContext(database.db)
    const first = await firstWords({ provider: BINANCE }, { ctx })
    expect(first).toMatchObject({ pending: [], changesAt: null, symbols: ['BTC'] })
    const own = { provider: { ...BINANCE, url: 'wss://prices.my-broker.com' }, name: 'mine' }
    const swapped = await firstWords(own, { ctx })
    // The source in force was removed and the new one is not yet in effect, so no source is used and no order is
    // accepted.
    expect(swapped).toMatchObject({ pending: [1], header: first.header })
    ctx.clock.advance(HOUR_MS + MINUTE_MS - 1)
    expect(await firstWords(own, { ctx })).toMatchObject({ pending: [1], header: first.header })
    ctx.clock.advance(1)
    const after = await firstWords(own, { ctx })
    expect(after).toMatchObject({ pending: [], changesAt: null })
    expect(after.header).not.toBe(first.header)
  })

  it('A54: each configuration is an entry of the register and names the previous one; headers name its hash', async () => {
    const ctx = createTestContext(database.db)
    const headers = [
      (await firstWords({ provider: BINANCE }, { ctx, mode: 'demo' })).header,
      (await firstWords({ provider: BINANCE }, { ctx, mode: 'demo' })).header,
      (await firstWords({ provider: BINANCE, limits: { spikeBp: 7 } }, { ctx, mode: 'demo' })).header,
    ]
    const [second, first] = await listSourceVersions(database.db)
    assert(first !== undefined && second !== undefined, 'there are two')
    expect(headers).toEqual([first, first, second].map(({ hash }) => toHex(hash)))
    expect([first, second].map(({ text }) => toHex(entryHash(sha256, text)))).toEqual(
      [first, second].map(({ hash }) => toHex(hash)),
    )
    expect(JSON.parse(second.text)).toMatchObject({ v: 1, kind: 'sources', n: 2, previous: toHex(first.hash) })
    const pending = await database.db.selectFrom('register_pending').select(['kind', 'text']).orderBy('id').execute()
    expect(pending.map(({ kind, text }) => [kind, text])).toEqual([first, second].map(({ text }) => ['sources', text]))
    expect(toIso(first.seenAt)).toBe(toIso(first.appliesAt))
  })

  it('A54: the server cannot change a configuration that is published', async () => {
    await firstWords({ provider: BINANCE }, {})
    const { db } = database
    await expect(db.updateTable('source_version').set({ applies_ms: 1 }).execute()).rejects.toThrow('permission denied')
    await expect(db.deleteFrom('source_version').execute()).rejects.toThrow('permission denied')
  })
})
