// P15: 1 % of the clients stop reading (SIGSTOP) while much data is queued for them. Measures the effect on the other
// clients' p99 and on the sender's memory after a garbage collection. Calm and stalled periods alternate. 990 clients
// watch 20 symbols. The ten stalled clients subscribe to every price of 300 symbols on the ticker channel, about 0.7 MB
// per second each. The system buffers a part of this data (up to the size of its socket buffers). The process holds
// back the rest and disconnects these clients ten seconds later. The number of disconnected clients is printed. Gates
// +30 % and 50 MB, goals +10 % and 10 MB. BENCH_CLIENTS, BENCH_PAIRS and BENCH_STALL_SECONDS change its size.
import { setTimeout as pause } from 'node:timers/promises'
import { Child } from './lib/fan-out/child.ts'
import { COLLECTING_MS, COLLECTOR, collectedBytes } from './lib/fan-out/collected-memory.ts'
import { drivenSymbols } from './lib/fan-out/driven-prices.ts'
import { Listeners } from './lib/fan-out/listeners.ts'
import type { Ages } from './lib/fan-out/listening-sink.ts'
import { loadNow, printMachine, spread } from './lib/fan-out/report.ts'
import type { FromSide, ToSide } from './lib/fan-out/side.ts'
import { WATCHED_SYMBOLS } from './lib/fan-out/tick-text.ts'
import { median } from './lib/median.ts'

const CLIENTS = Number(process.env['BENCH_CLIENTS'] ?? 1_000)
const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 5)
const STALLED = Math.ceil(CLIENTS / 100)
const SYMBOLS = 300
const FLUSH_MS = 100
const WARM_UP_MS = 8_000
const CALM_MS = 6_000
const STALL_MS = Number(process.env['BENCH_STALL_SECONDS'] ?? 14) * 1_000
const BACK_MS = 1_500
const MB = 1_048_576
const GATE = { slower: 1.3, growth: 50 }
const GOAL = { slower: 1.1, growth: 10 }

interface Window {
  readonly ages: Ages
  /** Live memory at the end of the window, without garbage. */
  readonly liveBytes: number
}

printMachine('P15: one client of a hundred does not read')
const codes = drivenSymbols(SYMBOLS).map(({ code }) => code)
const side = new Child<ToSide, FromSide>('our-side.ts', [SYMBOLS, SYMBOLS, FLUSH_MS], { NODE_OPTIONS: COLLECTOR })
const [readers, stalling] = [new Listeners(), new Listeners()]
try {
  const port = await side.hears((message) => message.port)
  const watch = JSON.stringify({ action: 'watch', symbols: codes.slice(0, WATCHED_SYMBOLS) })
  const all = JSON.stringify({
    type: 'subscribe',
    product_ids: codes.map((code) => `${code}-USD`),
    channels: ['ticker'],
  })
  await readers.open({ port, path: '/ws/app', say: watch, clients: CLIENTS - STALLED })
  await stalling.open({ port, path: '/ws/ticker', say: all, clients: STALLED, comesBack: true })
  side.tell({ everyMs: FLUSH_MS })
  await pause(WARM_UP_MS)
  const pairs: { calm: Window; stalled: Window }[] = []
  let givenUp = 0
  for (let nth = 0; nth < PAIRS; nth += 1) {
    const calm = await look(CALM_MS)
    stalling.stall()
    const stalled = await look(STALL_MS)
    stalling.goOn()
    await pause(BACK_MS)
    givenUp += (await stalling.ages()).closed
    pairs.push({ calm, stalled })
  }
  process.exitCode = report(pairs, givenUp) ? 0 : 1
} finally {
  for (const child of [side, readers, stalling]) child.end()
}

async function look(ms: number): Promise<Window> {
  await readers.ages()
  // The ages and the memory are measured while data is still queued for the stalled clients, before the server
  // disconnects these clients.
  await pause(ms - COLLECTING_MS)
  return { ages: await readers.ages(), liveBytes: await collectedBytes(side.pid) }
}

function report(pairs: readonly { calm: Window; stalled: Window }[], givenUp: number): boolean {
  const of = (pick: (window: Window) => number, kind: 'calm' | 'stalled') => pairs.map((pair) => pick(pair[kind]))
  console.log(
    `${CLIENTS} clients, ${STALLED} of them stalled, ${pairs.length} pairs, load ${loadNow()} at the end; median, least, most`,
  )
  for (const kind of ['calm', 'stalled'] as const) {
    console.log(
      `${kind.padEnd(8)} p99 of the others ${spread(
        of(({ ages }) => ages.p99, kind),
        0,
      )} ms`,
    )
    console.log(
      `         memory            ${spread(
        of(({ liveBytes }) => liveBytes / MB, kind),
        0,
      )} MB`,
    )
  }
  const slower = median(pairs.map(({ calm, stalled }) => stalled.ages.p99 / calm.ages.p99))
  const growth = median(pairs.map(({ calm, stalled }) => stalled.liveBytes - calm.liveBytes)) / MB
  const closed = pairs.reduce((sum, { calm, stalled }) => sum + calm.ages.closed + stalled.ages.closed, 0)
  console.log(`stalled clients disconnected: ${givenUp} of ${STALLED * pairs.length}; others closed: ${closed}`)
  console.log(
    `p99 stalled : calm ${slower.toFixed(2)}   gate ${GATE.slower}, goal ${GOAL.slower}: ${verdict('slower', slower)}`,
  )
  console.log(
    `memory ${growth.toFixed(1)} MB more   gate ${GATE.growth}, goal ${GOAL.growth}: ${verdict('growth', growth)}`,
  )
  return slower <= GATE.slower && growth <= GATE.growth && closed === 0
}

function verdict(of: 'slower' | 'growth', value: number): string {
  return value <= GOAL[of] ? 'goal reached' : value <= GATE[of] ? 'goal missed, gate passed' : 'BEYOND THE GATE'
}
