import { median } from '../median.ts'
import { Child } from './child.ts'
import type { FromCountingSink, ToCountingSink } from './counting-sink.ts'
import { loadNow, printMachine, processorSeconds, spread } from './report.ts'
import type { FromSide, ToSide } from './side.ts'
import { WATCHED_SYMBOLS } from './tick-text.ts'

const CLIENTS = Number(process.env['BENCH_CLIENTS'] ?? 2_000)
/** Runs pairs of measurements until the time is over, but at least five pairs. */
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 60)
const MIN_PAIRS = 5
/** A run sends its rounds in four bursts. At most two bursts are on their way to the clients at a time. */
const BURSTS = 4

export interface Race {
  readonly title: string
  /** Prices per write on our side. */
  readonly perWrite: number
  readonly other: 'tcp' | 'ws'
  readonly gate: number
  readonly goal: number
}

interface Side {
  readonly name: string
  readonly process: Child<ToSide, FromSide>
  readonly ticksPerRound: number
  readonly roundsInBurst: number
  received: number
  ticks: number
}

interface Result {
  /** Prices delivered to all clients, per second of elapsed time and per second of the sender's processor time. */
  readonly wall: number
  readonly processor: number
  /** Processor time per elapsed time of the sending and of the receiving process. 1: one processor was fully busy. */
  readonly senderBusy: number
  readonly sinkBusy: number
}

/**
 * Compares our sockets with a bare server. Each runs in its own process, with the same number of clients. All clients
 * share a third process. The two servers alternate and send as fast as the clients read. The clock stops when
 * everything sent has been received.
 */
export async function race({ title, perWrite, other, gate, goal }: Race): Promise<boolean> {
  printMachine(title)
  const sink = new Child<ToCountingSink, FromCountingSink>('counting-sink.ts')
  const children: { end(): void }[] = [sink]
  try {
    const ours = await open('ours', perWrite, new Child('our-side.ts', [WATCHED_SYMBOLS, perWrite, 0]))
    const bare = await open(other, 1, new Child(`${other}-side.ts`))
    for (const side of [ours, bare]) await run(side, sink)
    const pairs: { ours: Result; bare: Result }[] = []
    const startedAt = performance.now()
    for (let nth = 0; nth < MIN_PAIRS || performance.now() - startedAt < SECONDS * 1_000; nth += 1) {
      const first = await run(nth % 2 === 0 ? ours : bare, sink)
      const second = await run(nth % 2 === 0 ? bare : ours, sink)
      pairs.push(nth % 2 === 0 ? { ours: first, bare: second } : { ours: second, bare: first })
    }
    return report(pairs, { other, gate, goal })
  } finally {
    for (const child of children) child.end()
  }

  async function open(name: string, ticksPerRound: number, process: Side['process']): Promise<Side> {
    children.push(process)
    const port = await process.hears((message) => message.port)
    const isOurs = name === 'ours'
    const roundsInBurst = ticksPerRound === 1 ? 10 : 4
    sink.tell({
      side: name,
      port,
      path: name === 'tcp' ? null : isOurs ? '/ws/app' : '/',
      ...(isOurs && { say: '{"action":"subscribe"}' }),
      clients: CLIENTS,
      every: roundsInBurst * CLIENTS,
    })
    await sink.hears((message) => ('open' in message ? message.open : null))
    return { name, process, ticksPerRound, roundsInBurst, received: 0, ticks: 0 }
  }
}

async function run(side: Side, sink: Child<ToCountingSink, FromCountingSink>): Promise<Result> {
  const rounds = side.roundsInBurst * BURSTS
  const end = side.received + rounds * CLIENTS
  let granted = 2
  const before = { at: performance.now(), sender: processorSeconds(side.process.pid), sink: processorSeconds(sink.pid) }
  side.process.tell({ rounds: 2 * side.roundsInBurst })
  const ticks = await sink.hears((message) => {
    if ('wrong' in message) throw new Error(message.wrong)
    if (!('messages' in message)) return null
    if (message.messages > end) throw new Error(`${side.name} has sent more than it was told to`)
    while (granted < BURSTS && message.messages >= side.received + (granted - 1) * side.roundsInBurst * CLIENTS) {
      granted += 1
      side.process.tell({ rounds: side.roundsInBurst })
    }
    return message.messages === end ? message.ticks : null
  })
  const seconds = (performance.now() - before.at) / 1_000
  const expected = rounds * side.ticksPerRound
  if (ticks - side.ticks !== expected) throw new Error(`one client of ${side.name} did not get each of the prices`)
  side.received = end
  side.ticks = ticks
  const sent = expected * CLIENTS
  const used = processorSeconds(side.process.pid) - before.sender
  return {
    wall: sent / seconds,
    processor: sent / used,
    senderBusy: used / seconds,
    sinkBusy: (processorSeconds(sink.pid) - before.sink) / seconds,
  }
}

function report(
  pairs: readonly { ours: Result; bare: Result }[],
  { other, gate, goal }: Pick<Race, 'other' | 'gate' | 'goal'>,
): boolean {
  console.log(`${CLIENTS} clients, ${pairs.length} pairs, load ${loadNow()} at the end; median, least, most`)
  for (const side of ['ours', 'bare'] as const) {
    const of = (pick: keyof Result) => pairs.map((pair) => pair[side][pick])
    console.log(`${(side === 'bare' ? other : side).padEnd(6)} ${spread(of('wall'), 0)} prices to clients a second`)
    console.log(`       ${spread(of('processor'), 0)} of a second of its processor time`)
    console.log(`       ${spread(of('senderBusy'), 2)} of a processor busy; the clients ${spread(of('sinkBusy'), 2)}`)
  }
  const ratios = (pick: 'wall' | 'processor') => pairs.map(({ ours, bare }) => ours[pick] / bare[pick])
  const ratio = median(ratios('wall'))
  const verdict = ratio >= goal ? 'goal reached' : ratio >= gate ? 'goal missed, gate passed' : 'BELOW THE GATE'
  console.log(`ours : ${other}  ${spread(ratios('wall'), 2)}   gate ${gate}, goal ${goal}: ${verdict}`)
  console.log(`            ${spread(ratios('processor'), 2)}   by processor time`)
  return ratio >= gate
}
