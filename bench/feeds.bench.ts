// Sends 200 symbols at 10 prices per second each for ten minutes, from a provider's socket through adapter, arbiter and
// tick log into PostgreSQL, with 100 clients. Gates: every price is in the tick log once, unchanged and in order;
// memory does not grow. BENCH_MINUTES, BENCH_SYMBOLS and BENCH_CLIENTS make the measurement smaller.
import { type ChildProcess, fork } from 'node:child_process'
import { createHash, type Hash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { instant } from '#core/time/instant.ts'
import { connectDatabase } from '#server/platform/database/connect.ts'
import { loggedTicks } from '#server/market-data/tick-log/tick-batch.queries.ts'
import { quiet } from '#test/support/quiet-log.ts'
import { startServerProcess } from '#test/support/server-process.ts'
import type { FromSpeaker, SpeakerReport, ToSpeaker } from './lib/fake-binance.ts'
import { median } from './lib/median.ts'
import { speakerFeeds } from './lib/fake-binance-feeds.ts'

const minutes = Number(process.env['BENCH_MINUTES'] ?? 10)
const symbolCount = Number(process.env['BENCH_SYMBOLS'] ?? 200)
const clientCount = Number(process.env['BENCH_CLIENTS'] ?? 100)
const url = process.env['BENCH_DATABASE_URL'] ?? ''
const PER_SECOND = 10
/**
 * The server keeps the last six minutes of prices in memory, so memory grows during the first six minutes. Other
 * figures start after 10 % of the run.
 */
const WARM_UP = 0.1
/**
 * Memory after full collections in the last third, relative to the middle third. More than 1.2 is growth, not noise.
 */
const MAX_GROWTH = 1.2
const DRAIN_MS = 5_000
const MB = 1_048_576

const symbols = Array.from({ length: symbolCount }, (_, nth) => `B${String(nth + 1).padStart(3, '0')}`)
const dataDir = mkdtempSync(join(tmpdir(), 'fairwick-bench-'))
const measuredFile = join(dataDir, 'measured.jsonl')

const speaker = fork(fileURLToPath(new URL('lib/fake-binance.ts', import.meta.url)), {
  execArgv: ['--import', 'tsx'],
})
try {
  const { port } = await hear(speaker, (message) => ('port' in message ? message : null))
  const server = await startServerProcess({
    DATABASE_URL: url,
    FAIRWICK_DATA_DIR: dataDir,
    FAIRWICK_BOTS: 'off',
    LOG_LEVEL: 'warn',
    FAIRWICK_FEEDS: speakerFeeds(port, symbols),
    MEASURED_FILE: measuredFile,
    NODE_OPTIONS: `--import ${new URL('lib/measured-process.mjs', import.meta.url).href}`,
  })
  try {
    const ears = await Promise.all(Array.from({ length: clientCount }, (_, nth) => listen(server.address, nth === 0)))
    const startedAt = Date.now()
    const begin: ToSpeaker = { begin: { symbols: symbols.map((code) => `${code}USDT`), perSecond: PER_SECOND } }
    speaker.send(begin)
    await pause(minutes * 60_000)
    speaker.send('stop' satisfies ToSpeaker)
    const { reports } = await hear(speaker, (message) => ('reports' in message ? message : null))
    const stoppedAt = Date.now()
    await pause(DRAIN_MS)
    for (const { socket } of ears) socket.close()
    const isGood = await report({ reports, startedAt, stoppedAt, ears })
    const printed = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    console.log(`warnings of the server: ${printed.length}`)
    for (const line of printed.slice(0, 5)) console.log(`  ${line.slice(0, 300)}`)
    process.exitCode = isGood ? 0 : 1
  } finally {
    await server.stop()
  }
} finally {
  speaker.kill()
  rmSync(dataDir, { recursive: true, force: true })
}

interface Ears {
  readonly socket: WebSocket
  messages: number
  /**
   * Milliseconds from the provider's sending of a price until this client received it, for a few symbols. The server
   * sends a price to clients only after storing it in the tick log.
   */
  readonly lagsMs: number[]
}

/** Opens a visitor's connection for all prices. With `isEvery`, it subscribes to every tick of five symbols. */
async function listen(address: string, isEvery: boolean): Promise<Ears> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws/app`, { perMessageDeflate: false })
  const ears: Ears = { socket, messages: 0, lagsMs: [] }
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.on('message', (data: Buffer) => {
    ears.messages += 1
    if (!isEvery) return
    const now = Date.now()
    const payload: unknown = JSON.parse(data.toString())
    for (const one of Array.isArray(payload) ? payload : [payload]) {
      const { q, E } = one as { q?: number; E?: number }
      if (q !== undefined && E !== undefined) ears.lagsMs.push(now - E)
    }
  })
  socket.send(JSON.stringify({ action: 'subscribe' }))
  if (isEvery) socket.send(JSON.stringify({ action: 'watch', symbols: symbols.slice(0, 5), every: true }))
  return ears
}

interface Outcome {
  readonly reports: readonly SpeakerReport[]
  readonly startedAt: number
  readonly stoppedAt: number
  readonly ears: readonly Ears[]
}

async function report({ reports, startedAt, stoppedAt, ears }: Outcome): Promise<boolean> {
  const logged = await readLog(startedAt, stoppedAt)
  const sent = reports.reduce((sum, { count }) => sum + count, 0)
  const loggedCount = [...logged.values()].reduce((sum, { count }) => sum + count, 0)
  const wrong = reports.filter(({ symbol, count, digest }) => {
    const found = logged.get(symbol)
    return found?.count !== count || found.hash.digest('hex') !== digest
  })
  const lags = ears.flatMap(({ lagsMs }) => lagsMs).toSorted((a, b) => a - b)
  const figures = readFigures().filter(({ at }) => at >= startedAt && at <= stoppedAt)
  const warm = figures.slice(Math.floor(figures.length * WARM_UP))
  const thirds = [0, 1, 2].map((nth) => median(liveBytesIn(figures, nth / 3, (nth + 1) / 3)))
  const growth = (thirds[2] ?? Number.NaN) / (thirds[1] ?? Number.NaN)
  const seconds = (stoppedAt - startedAt) / 1_000
  const of = (pick: (figure: Figure) => number) => warm.map(pick)
  const lines = [
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model ?? '?'}, Node ${process.version}`,
    `${symbolCount} symbols × ${PER_SECOND} a second, ${seconds.toFixed(0)} s, ${clientCount} clients`,
    `sent ${sent}, in the log ${loggedCount}, symbols whose prices are not exactly those sent: ${wrong.length}`,
    `sent → in the log and heard by a client: p50 ${at(lags, 0.5)} ms, p99 ${at(lags, 0.99)} ms, most ${at(lags, 1)} ms (${lags.length} prices)`,
    `event loop held up: p50 ${median(of(({ p50 }) => p50)).toFixed(1)} ms, p99 ${median(of(({ p99 }) => p99)).toFixed(1)} ms (medians of seconds), most ${Math.max(...of(({ max }) => max)).toFixed(0)} ms`,
    `processor of the server: ${(median(of(({ cpuMs }) => cpuMs)) / 10).toFixed(0)} % of one core`,
    `memory kept after collections, medians of thirds: ${thirds.map((bytes) => (bytes / MB).toFixed(0)).join(', ')} MB; most RSS ${(Math.max(...figures.map(({ rss }) => rss)) / MB).toFixed(0)} MB`,
    `messages to all clients: ${ears.reduce((sum, { messages }) => sum + messages, 0)}`,
  ]
  for (const line of lines) console.log(line)
  return sent > 0 && wrong.length === 0 && loggedCount === sent && !(growth > MAX_GROWTH)
}

/** Reads all prices of the tick log from the database, 5 s of prices per query. */
async function readLog(from: number, to: number): Promise<Map<string, { count: number; hash: Hash }>> {
  const stepMs = 5_000
  const database = await connectDatabase({ url, dataDir, poolSize: 1, log: quiet })
  const found = new Map<string, { count: number; hash: Hash }>()
  try {
    const rows = await database.db.selectFrom('market_symbol').select(['id', 'code']).execute()
    const names = new Map(rows.map(({ id, code }) => [id, `${code}USDT`]))
    for (let at = from; at <= to; at += stepMs) {
      for (const tick of await loggedTicks(database.db, instant(at), instant(at + stepMs - 1))) {
        const name = names.get(tick.symbolId) ?? ''
        const known = found.get(name) ?? { count: 0, hash: createHash('sha256') }
        known.count += 1
        known.hash.update(`${tick.time} ${tick.price}\n`)
        found.set(name, known)
      }
    }
  } finally {
    await database.close()
  }
  return found
}

interface Figure {
  readonly at: number
  readonly rss: number
  readonly heapUsed: number
  /** Memory after a full collection in this second. Null when there was none. */
  readonly liveBytes: number | null
  readonly cpuMs: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

function readFigures(): Figure[] {
  return readFileSync(measuredFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Figure)
}

/** Returns the memory after each full collection in a part of the run. */
function liveBytesIn(figures: readonly Figure[], from: number, to: number): number[] {
  const part = figures.slice(Math.floor(figures.length * from), Math.floor(figures.length * to))
  return part.flatMap(({ liveBytes }) => liveBytes ?? [])
}

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
}

function hear<T>(child: ChildProcess, take: (message: FromSpeaker) => T | null): Promise<T> {
  return new Promise((resolve) => {
    const listener = (message: FromSpeaker): void => {
      const result = take(message)
      if (result === null) return
      child.off('message', listener)
      resolve(result)
    }
    child.on('message', listener)
  })
}
