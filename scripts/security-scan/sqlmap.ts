import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, type ToolRun } from './run-tool.ts'
import type { Target } from './targets.ts'

export interface SqlmapReport {
  /** Number of requests passed to sqlmap, and number of requests that sqlmap scanned. */
  readonly given: number
  readonly scanned: number
  /** Number of tested parameters: fields of queries, bodies and paths. */
  readonly places: number
  readonly findings: readonly string[]
  readonly problems: readonly string[]
  readonly tookMs: number
}

const PROCESSES = 3

/** Statuses that sqlmap must treat as normal replies, because refusals have these statuses. */
const IGNORED = '400,401,403,404,405,409,410,413,415,422,423,429,500,503'

interface Options {
  readonly address: string
  readonly folder: string
  readonly maxMs: number
}

/** Runs several sqlmap processes, each with a part of the requests, as one process mostly waits. */
export async function runSqlmaps(targets: readonly Target[], options: Options): Promise<SqlmapReport> {
  const reports = await Promise.all(
    Array.from({ length: PROCESSES }, (_, part) => {
      const own = targets.filter((__, at) => at % PROCESSES === part)
      return runSqlmap(own, { ...options, folder: `${options.folder}-${part}` })
    }),
  )
  const sum = (of: (report: SqlmapReport) => number): number => reports.reduce((total, report) => total + of(report), 0)
  return {
    given: sum(({ given }) => given),
    scanned: sum(({ scanned }) => scanned),
    places: sum(({ places }) => places),
    findings: reports.flatMap(({ findings }) => findings),
    problems: reports.flatMap(({ problems }) => problems),
    tookMs: Math.max(...reports.map(({ tookMs }) => tookMs)),
  }
}

/** Runs sqlmap on the requests in one process, one after the other. */
export async function runSqlmap(targets: readonly Target[], options: Options): Promise<SqlmapReport> {
  const requests = targets.map((target) => markedRequest(target, options)).filter((request) => request.includes(MARK))
  mkdirSync(options.folder, { recursive: true })
  writeFileSync(join(options.folder, 'requests.log'), requests.map(logged).join(''))
  const args = [
    `-l requests.log --output-dir ${options.folder} --batch --flush-session --disable-coloring --level 3 --risk 1 --technique BESTQ`,
    `--dbms PostgreSQL --time-sec 2 --threads 4 --timeout 20 --retries 2 --ignore-code ${IGNORED}`,
    '--skip-waf --ignore-stdin',
  ].flatMap((some) => some.split(' '))
  const run = await runTool('sqlmap', args, options)
  writeFileSync(join(options.folder, 'output.txt'), run.output)
  return readSqlmap(run, requests.length)
}

/** The marker after a value that sqlmap tests. */
const MARK = '*'

/** Marks every free text of a call. Fuzz tests cover values that must be a number, a date or one of a few words. */
function markedRequest({ method, path, params, query, body, free }: Target, { address }: Options): string {
  const mark = (name: string): string => (free.has(name) ? MARK : '')
  const filled = path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => `${encodeURIComponent(params[name] ?? '')}${mark(name)}`,
  )
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}${mark(name)}`)
  const marked = Object.entries(body ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? `${value}${mark(name)}` : value,
  ])
  const lines = [
    `${method} ${filled}${search.length > 0 ? '?' : ''}${search.join('&')} HTTP/1.1`,
    `host: ${new URL(address).host}`,
    'accept: application/json',
    // The product stores the user agent of each log-in, so sqlmap tests this header too.
    `user-agent: scan${/\/(login|sign-in)$/.test(path) ? MARK : ''}`,
    ...(body === null ? [] : ['content-type: application/json']),
  ]
  return `${lines.join('\n')}\n\n${body === null ? '' : JSON.stringify(Object.fromEntries(marked))}`
}

const RULE = '='.repeat(54)
const logged = (request: string): string => `${RULE}\n${request}\n${RULE}\n\n`

/** Parses sqlmap's output. Missing output never counts as a good result. */
export function readSqlmap({ output, wasCut, tookMs }: ToolRun, given: number): SqlmapReport {
  const lines = output.split('\n').map((line) => line.replace(/^\[\d\d:\d\d:\d\d\] /, ''))
  const scanned = Number(
    /^\[(\d+)\/\d+\] URL:/.exec(lines.findLast((line) => /^\[\d+\/\d+\] URL:/.test(line)) ?? '')?.[1] ?? 0,
  )
  const tried = lines.filter((line) => /parameter '.*' does not seem to be injectable/.test(line)).length
  const findings = lines.filter((line) => /is vulnerable|appears to be .*injectable$|is '.*' injectable/.test(line))
  return {
    given,
    scanned,
    places: tried + findings.length,
    findings,
    problems: [
      ...(wasCut ? [`its time was up after ${scanned} of ${given} requests`] : []),
      ...(scanned < given && !wasCut ? [`it came to ${scanned} of ${given} requests`] : []),
      ...lines.filter(
        (line) => line.startsWith('[CRITICAL]') && !/do not appear to be injectable|going to retry/.test(line),
      ),
    ],
    tookMs,
  }
}
