// P17: a page of closed candles, compared with two bare node:http servers. One sends the same bytes (gate 0.6, goal
// 0.85), the other serialises the same rows for each request (gate 2, goal 3). Each round requests all servers in
// turn, in a new order; the median of the rounds' ratios counts.
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { candlePageAt } from '#core/markets/candle-page.ts'
import { instant } from '#core/time/instant.ts'
import { openBenchServer } from './lib/bench-server.ts'
import { processorSeconds, spread } from './lib/fan-out/report.ts'
import { load } from './lib/load.ts'
import { median } from './lib/median.ts'
import { machine } from './lib/pairs.ts'

/** Many short rounds, so that other load affects all servers equally. */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 25)
const ROUND_MS = 400
const CONNECTIONS = 32

const children: ChildProcess[] = []
const ours = await openBenchServer({ FAIRWICK_CALLS_PER_ADDRESS: '1000000' })
let failed = 0
try {
  console.log(machine())
  const path = `/api/candles/BTCUSDT/1m/${candlePageAt(instant(Date.now()), '1m') - 2}`
  for (const encoding of ['', 'br']) {
    const headers: Record<string, string> = encoding === '' ? {} : { 'accept-encoding': encoding }
    const bytes = await take(path, headers)
    const all: Measured[] = [{ name: 'page', ...ours }, await startPlain('constant', bytes, encoding)]
    if (encoding === '') all.push(await startPlain('stringify', bytes, ''))
    console.log(`\n${encoding || 'plain'}: ${bytes.length} bytes, ${CONNECTIONS} connections, ${ROUNDS} rounds`)
    const rates = await measure(all, path, headers)
    report(rates, 'constant', { gate: 0.6, goal: 0.85 })
    if (encoding === '') report(rates, 'stringify', { gate: 2, goal: 3 })
  }
} finally {
  for (const child of children) child.kill()
  await ours.close()
}
process.exitCode = failed === 0 ? 0 : 1

interface Measured {
  readonly name: string
  readonly address: string
  readonly pid: number
}

/** Replies per second of elapsed time and of the server's processor time. The latter hardly depends on other load. */
interface Rates {
  readonly wall: number[]
  readonly processor: number[]
}

async function measure(
  all: readonly Measured[],
  path: string,
  headers: Record<string, string>,
): Promise<Map<string, Rates>> {
  const ask = ({ address }: Measured) => load({ address, path, headers, connections: CONNECTIONS, ms: ROUND_MS })
  const rates = new Map<string, Rates>(all.map(({ name }) => [name, { wall: [], processor: [] }]))
  for (let warm = 0; warm < 3; warm += 1) for (const one of all) await ask(one)
  for (let round = 0; round < ROUNDS; round += 1) {
    const turn = round % all.length
    for (const one of [...all.slice(turn), ...all.slice(0, turn)]) {
      const before = processorSeconds(one.pid)
      const { perSecond, replies } = await ask(one)
      const { wall, processor } = rates.get(one.name) ?? { wall: [], processor: [] }
      wall.push(perSecond)
      processor.push(replies / (processorSeconds(one.pid) - before))
    }
  }
  for (const [name, { wall, processor }] of rates) {
    console.log(`${name.padEnd(24)} ${spread(wall, 0)} replies a second (median, least, most)`)
    console.log(`${''.padEnd(24)} ${spread(processor, 0)} replies a second of its processor time`)
  }
  return rates
}

function report(
  rates: ReadonlyMap<string, Rates>,
  other: string,
  { gate, goal }: { gate: number; goal: number },
): void {
  const ratios = (kind: keyof Rates): number[] =>
    (rates.get('page')?.[kind] ?? []).map((value, round) => value / (rates.get(other)?.[kind][round] ?? Number.NaN))
  const wall = ratios('wall')
  const middle = median(wall)
  const verdict = middle >= goal ? 'goal reached' : middle >= gate ? 'gate passed' : 'BELOW THE GATE'
  if (middle < gate) failed += 1
  console.log(`${`page : ${other}`.padEnd(24)} ${spread(wall, 2)}   gate ${gate}, goal ${goal}: ${verdict}`)
  console.log(`${''.padEnd(24)} ${spread(ratios('processor'), 2)}   by processor time`)
}

async function take(path: string, headers: Record<string, string>): Promise<Buffer> {
  // From the second request on, the page comes from the cache.
  await fetch(`${ours.address}${path}`)
  return await new Promise((resolve, reject) => {
    get(`${ours.address}${path}`, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks)))
    }).on('error', reject)
  })
}

function startPlain(name: 'constant' | 'stringify', body: Buffer, encoding: string): Promise<Measured> {
  const file = join(ours.folder, `${name}${encoding}`)
  writeFileSync(file, body)
  const child = spawn(process.execPath, ['--import', 'tsx', 'bench/lib/plain-server.ts', name, file, encoding], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  return new Promise((resolve) => {
    child.stdout.once('data', (chunk: Buffer) =>
      resolve({ name, address: `http://127.0.0.1:${chunk.toString().trim()}`, pid: child.pid ?? 0 }),
    )
  })
}
