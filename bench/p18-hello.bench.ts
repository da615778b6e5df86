// P18: the cost of the framework: replies of one word per second by Fastify without plugins, divided by replies per
// second by node:http. Gate 0.35, goal 0.45. Also prints the server's own `/healthz`, with its headers, limits and
// hooks. BENCH_PAIRS is the number of pairs (default 15). BENCH_MS is the duration of a measurement in ms (default
// 500).
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openBenchServer } from './lib/bench-server.ts'
import { load } from './lib/load.ts'
import { machine, pairs, spread, verdict } from './lib/pairs.ts'

const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 15)
const MS = Number(process.env['BENCH_MS'] ?? 500)
const CONNECTIONS = 32

console.log(`${machine()}, ${CONNECTIONS} connections`)
const children: ChildProcess[] = []
const ours = await openBenchServer()
try {
  const [hello, framework] = [await startPlain('hello'), await startPlain('fastify')]
  const rate = (address: string, path: string) => async () =>
    (await load({ address, path, connections: CONNECTIONS, ms: MS })).perSecond
  for (const address of [hello, framework]) await rate(address, '/')()
  await rate(ours.address, '/healthz')()
  const bare: [string, () => Promise<number>] = ['node:http, replies a second', rate(hello, '/')]
  const ratios = await pairs(PAIRS, ['Fastify, replies a second', rate(framework, '/')], bare)
  const own = await pairs(5, ['our /healthz, replies a second', rate(ours.address, '/healthz')], bare)
  console.log(`${'our /healthz : node:http'.padEnd(44)} ${spread(own)}`)
  verdict('P18 Fastify : node:http', ratios, { gate: 0.35, goal: 0.45 })
} finally {
  for (const child of children) child.kill()
  await ours.close()
}

async function startPlain(kind: 'hello' | 'fastify'): Promise<string> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'bench/lib/plain-server.ts', kind], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  return `http://127.0.0.1:${chunk.toString().trim()}`
}
