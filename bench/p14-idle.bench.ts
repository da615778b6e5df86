// P14: how many idle clients one server process can serve, and the memory per client compared with a bare `ws` server.
// Both servers collect their garbage before the measurement. Our server is started normally; its clients subscribe to
// prices, but there are none. Gates 10,000 and 4 times, goals 15,000 and twice. BENCH_CLIENTS and BENCH_PAIRS change
// its size.
import { NODE_FLAGS } from '#test/support/server-process.ts'
import type { FromSpeaker, ToSpeaker } from './lib/fake-binance.ts'
import { openBenchServer } from './lib/bench-server.ts'
import { Child } from './lib/fan-out/child.ts'
import { COLLECTOR, collectedBytes } from './lib/fan-out/collected-memory.ts'
import { Listeners } from './lib/fan-out/listeners.ts'
import { loadNow, printMachine, spread } from './lib/fan-out/report.ts'
import type { FromSide, ToSide } from './lib/fan-out/side.ts'
import { median } from './lib/median.ts'
import { speakerFeeds } from './lib/fake-binance-feeds.ts'

const CLIENTS = Number(process.env['BENCH_CLIENTS'] ?? 15_000)
const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 5)
const SINKS = 2
/** The last byte of the first loopback address of each client process: the server limits connections per address. */
const FIRST_ADDRESS = [2, 52]
const GATE = { clients: 10_000, times: 4 }
const GOAL = { clients: 15_000, times: 2 }

printMachine('P14: clients that hear nothing, our server : bare ws')
const speaker = new Child<ToSpeaker, FromSpeaker>('../fake-binance.ts')
const speakerPort = await speaker.hears((message) => ('port' in message ? message.port : null))
try {
  const pairs: { ours: number; bare: number }[] = []
  for (let nth = 0; nth < PAIRS; nth += 1) {
    // Each measurement needs a fresh process that never had a client.
    const first = await (nth % 2 === 0 ? measureOurs() : measureBare())
    const second = await (nth % 2 === 0 ? measureBare() : measureOurs())
    pairs.push(nth % 2 === 0 ? { ours: first, bare: second } : { ours: second, bare: first })
  }
  process.exitCode = report(pairs) ? 0 : 1
} finally {
  speaker.end()
}

async function measureOurs(): Promise<number> {
  const server = await openBenchServer({
    FAIRWICK_FEEDS: speakerFeeds(speakerPort, ['B001']),
    NODE_OPTIONS: COLLECTOR,
  })
  try {
    const port = Number(new URL(server.address).port)
    return await bytesEach(server.pid, { port, path: '/ws/app', say: '{"action":"subscribe"}' })
  } finally {
    await server.close()
  }
}

async function measureBare(): Promise<number> {
  // The bare server gets the same semi-space as ours, because a part of an empty semi-space stays resident and counts
  // as its memory.
  const options = [COLLECTOR, ...NODE_FLAGS].join(' ')
  const side = new Child<ToSide, FromSide>('ws-side.ts', [], { NODE_OPTIONS: options })
  try {
    return await bytesEach(side.pid, { port: await side.hears((message) => message.port), path: '/' })
  } finally {
    side.end()
  }
}

async function bytesEach(pid: number, to: { port: number; path: string; say?: string }): Promise<number> {
  const sinks = Array.from({ length: SINKS }, () => new Listeners())
  try {
    const before = await collectedBytes(pid)
    const clients = CLIENTS / SINKS
    await Promise.all(sinks.map((sink, nth) => sink.open({ ...to, clients, from: FIRST_ADDRESS[nth] ?? 2 })))
    const after = await collectedBytes(pid)
    for (const sink of sinks) if ((await sink.ages()).closed > 0) throw new Error('a client was closed')
    return (after - before) / CLIENTS
  } finally {
    for (const sink of sinks) sink.end()
  }
}

function report(pairs: readonly { ours: number; bare: number }[]): boolean {
  console.log(
    `${CLIENTS} clients held by each, ${pairs.length} pairs, load ${loadNow()} at the end; median, least, most`,
  )
  for (const side of ['ours', 'bare'] as const)
    console.log(
      `${side === 'bare' ? 'ws' : side}   ${spread(
        pairs.map((pair) => pair[side] / 1_024),
        1,
      )} KB each`,
    )
  const ratios = pairs.map(({ ours, bare }) => ours / bare)
  const times = median(ratios)
  const isGood = times <= GATE.times && CLIENTS >= GATE.clients
  const isGoal = times <= GOAL.times && CLIENTS >= GOAL.clients
  const verdict = isGoal ? 'goal reached' : isGood ? 'goal missed, gate passed' : 'BEYOND THE GATE'
  console.log(`clients ${CLIENTS}   gate ${GATE.clients}, goal ${GOAL.clients}`)
  console.log(`ours : ws ${spread(ratios, 2)}   gate ${GATE.times}, goal ${GOAL.times}: ${verdict}`)
  return isGood
}
