// P13: the age of a price when a client receives it. A provider's socket sends 20 symbols at ten prices per second
// each. The prices pass through adapter, arbiter, tick log (PostgreSQL) and fan-out of a normally started server. 1,000
// clients watch all symbols. A price may wait for one flush of 100 ms; only the part of the p99 beyond this wait
// counts. Gate 100 ms, goal 25 ms. BENCH_CLIENTS and BENCH_SECONDS change its size.
import { setTimeout as pause } from 'node:timers/promises'
import type { FromSpeaker, ToSpeaker } from './lib/fake-binance.ts'
import { openBenchServer } from './lib/bench-server.ts'
import { Child } from './lib/fan-out/child.ts'
import { Listeners } from './lib/fan-out/listeners.ts'
import type { Ages } from './lib/fan-out/listening-sink.ts'
import { loadNow, printMachine, processorSeconds, spread } from './lib/fan-out/report.ts'
import { median } from './lib/median.ts'
import { speakerFeeds } from './lib/fake-binance-feeds.ts'

const CLIENTS = Number(process.env['BENCH_CLIENTS'] ?? 1_000)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 60)
const ROUNDS = 6
const SYMBOLS = 20
const PER_SECOND = 10
const FLUSH_MS = 100
const WARM_UP_MS = 5_000
const GATE_MS = 100
const GOAL_MS = 25

printMachine('P13: age of a price at its clients')
const codes = Array.from({ length: SYMBOLS }, (_, nth) => `B${String(nth + 1).padStart(3, '0')}`)
const speaker = new Child<ToSpeaker, FromSpeaker>('../fake-binance.ts')
const clients = new Listeners()
try {
  const server = await openBenchServer({
    FAIRWICK_FEEDS: speakerFeeds(await speaker.hears((message) => ('port' in message ? message.port : null)), codes),
  })
  try {
    const { port } = new URL(server.address)
    await clients.open({
      port: Number(port),
      path: '/ws/app',
      say: '{"action":"subscribe"}',
      clients: CLIENTS,
      from: 2,
    })
    speaker.tell({ begin: { symbols: codes.map((code) => `${code}USDT`), perSecond: PER_SECOND } })
    await pause(WARM_UP_MS)
    await clients.ages()
    const rounds: Ages[] = []
    const busy: number[] = []
    for (let nth = 0; nth < ROUNDS; nth += 1) {
      const before = processorSeconds(server.pid)
      await pause((SECONDS / ROUNDS) * 1_000)
      rounds.push(await clients.ages())
      busy.push(((processorSeconds(server.pid) - before) / SECONDS) * ROUNDS)
    }
    process.exitCode = report(rounds, busy) ? 0 : 1
  } finally {
    await server.close()
  }
} finally {
  speaker.end()
  clients.end()
}

function report(rounds: readonly Ages[], busy: readonly number[]): boolean {
  const of = (pick: keyof Ages) => rounds.map((ages) => ages[pick])
  const expected = (CLIENTS * SYMBOLS * PER_SECOND * SECONDS) / ROUNDS
  const extraMs = median(of('p99')) - FLUSH_MS
  console.log(
    `${CLIENTS} clients, ${SYMBOLS} symbols, ${ROUNDS} rounds of ${(SECONDS / ROUNDS).toFixed(0)} s, load ${loadNow()} at the end`,
  )
  console.log('median, least, most of the rounds')
  console.log(`age, p50  ${spread(of('p50'), 0)} ms`)
  console.log(`age, p99  ${spread(of('p99'), 0)} ms`)
  console.log(`age, most ${spread(of('max'), 0)} ms`)
  console.log(
    `prices to clients, of those that were sent: ${spread(
      of('count').map((count) => (100 * count) / expected),
      1,
    )} %`,
  )
  console.log(
    `processor of the server: ${spread(
      busy.map((part) => 100 * part),
      0,
    )} %`,
  )
  const verdict =
    extraMs <= GOAL_MS ? 'goal reached' : extraMs <= GATE_MS ? 'goal missed, gate passed' : 'BEYOND THE GATE'
  console.log(`p99 beyond the flush: ${extraMs} ms   gate ${GATE_MS} ms, goal ${GOAL_MS} ms: ${verdict}`)
  return extraMs <= GATE_MS && median(of('count')) > 0
}
