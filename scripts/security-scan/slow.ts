import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runTool } from './run-tool.ts'

export interface SlowReport {
  readonly attack: string
  readonly connections: number
  /** Seconds in which the tool's own probe got no reply. */
  readonly unavailableSeconds: number
  readonly closedByServer: number
  readonly requests: number
  readonly unanswered: number
  readonly slowestMs: number
  readonly medianMs: number
  readonly problems: readonly string[]
}

interface Options {
  readonly address: string
  readonly folder: string
  readonly connections: number
  readonly seconds: number
  /** The path of a large file, which the attack by slow reading downloads. */
  readonly largeFile: string
}

/** 5 s: a call of another client that takes longer during the attack counts as unanswered. */
const ANSWER_WITHIN_MS = 5_000

type Attack = readonly [name: string, args: (options: Options) => string[]]

const SLOW_HEADERS: Attack = ['slow headers', ({ address }) => ['-H', '-i', '5', '-u', `${address}/`]]

const ATTACKS: readonly Attack[] = [
  SLOW_HEADERS,
  [
    'slow body',
    ({ address }) => ['-B', '-i', '5', '-s', '60000', '-f', 'application/json', '-u', `${address}/api/user/auth/login`],
  ],
  [
    'slow read',
    ({ address, largeFile }) => [
      '-X',
      '-w',
      '512',
      '-y',
      '1024',
      '-n',
      '5',
      '-z',
      '32',
      '-k',
      '3',
      '-u',
      `${address}${largeFile}`,
    ],
  ],
]

/** Holds many connections open in each of the three ways while another client keeps sending requests. */
export async function runSlow(options: Options): Promise<SlowReport[]> {
  const reports: SlowReport[] = []
  for (const attack of ATTACKS) reports.push(await runAttack(attack, options))
  return reports
}

/** Runs the simplest attack, for the control. */
export async function runSlowHeaders(options: Options): Promise<SlowReport> {
  return runAttack(SLOW_HEADERS, options)
}

async function runAttack([attack, argsOf]: Attack, options: Options): Promise<SlowReport> {
  const { address, folder, connections, seconds } = options
  mkdirSync(folder, { recursive: true })
  const file = join(folder, attack.replace(' ', '-'))
  const args = [
    ...argsOf(options),
    ...['-c', connections, '-r', 100, '-l', seconds, '-p', 5, '-g', '-o', file].map(String),
  ]
  const isOver = new AbortController()
  const probing = probe(address, isOver.signal)
  const run = await runTool('slowhttptest', args, { folder, maxMs: (seconds + 60) * 1000 })
  isOver.abort()
  const times = (await probing).toSorted((a, b) => a - b)
  const seen = existsSync(`${file}.csv`) ? readSlow(readFileSync(`${file}.csv`, 'utf8')) : null
  const answered = times.filter((ms) => ms < Number.POSITIVE_INFINITY)
  const unanswered = times.filter((ms) => ms === Number.POSITIVE_INFINITY).length
  return {
    attack,
    connections,
    unavailableSeconds: seen?.unavailableSeconds ?? 0,
    closedByServer: seen?.closed ?? 0,
    requests: times.length,
    unanswered,
    slowestMs: Math.round(answered.at(-1) ?? 0),
    medianMs: Math.round(answered[Math.floor(answered.length / 2)] ?? 0),
    problems: [
      ...(seen === null || seen.maxConnections < connections / 2
        ? [`it held ${seen?.maxConnections ?? 0} of ${connections} connections`]
        : []),
      ...(run.wasCut ? ['it did not end'] : []),
      ...(times.length === 0 ? ['nobody asked meanwhile'] : []),
    ],
  }
}

/** Requests one resource of every kind repeatedly, each on a new connection. Returns the durations. */
async function probe(address: string, signal: AbortSignal): Promise<number[]> {
  const paths = ['/healthz', '/api/user/general-setting', '/api/user/crypto-currency/list', '/']
  const times: number[] = []
  for (let at = 0; !signal.aborted; at += 1) {
    const startedAt = performance.now()
    const headers = { connection: 'close', accept: 'text/html, application/json' }
    const options = { headers, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }
    const isAnswered = await fetch(`${address}${paths[at % paths.length]}`, options).then(
      async (answer) => answer.ok && (await answer.text()) !== '',
      () => false,
    )
    times.push(isAnswered ? performance.now() - startedAt : Number.POSITIVE_INFINITY)
    await pause(200)
  }
  return times
}

/**
 * Reads the tool's table. Each row is one second, with the states of its connections and whether the tool's own probe
 * got a reply.
 */
export function readSlow(csv: string): { unavailableSeconds: number; closed: number; maxConnections: number } {
  const rows = csv
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split(',').map(Number))
  return {
    unavailableSeconds: rows.filter(([, , , , available]) => available === 0).length,
    closed: Math.max(0, ...rows.map(([, closed = 0]) => closed)),
    maxConnections: Math.max(0, ...rows.map(([, closed = 0, , connected = 0]) => closed + connected)),
  }
}
