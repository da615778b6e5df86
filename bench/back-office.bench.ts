// Requests every list, filter and figure of the back office on 100,000 users, 1,000,000 orders and 3,000,000 transfers.
// Gate and goal: each replies within 300 ms (median). BENCH_USERS and BENCH_ORDERS reduce the amount of data.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import type { StaffCall } from '#contract/back-office/staff-call.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { DEMO_STAFF } from '#server/seed/demo-staff.ts'
import { demoKeyOf, startServerProcess } from '#test/support/server-process.ts'
import { type PageRequest, questions } from './lib/back-office-questions.ts'
import { median } from './lib/median.ts'

const MAX_MEDIAN_MS = 300
const ROUNDS = 9
const url = process.env['BENCH_DATABASE_URL'] ?? ''
const users = process.env['BENCH_USERS'] ?? '100000'
const orders = process.env['BENCH_ORDERS'] ?? '1000000'

const dataDir = mkdtempSync(join(tmpdir(), 'fairwick-bench-'))
const environment = { DATABASE_URL: url, FAIRWICK_DATA_DIR: dataDir, FAIRWICK_BOTS: 'off', LOG_LEVEL: 'warn' }
try {
  if (!(await isSeeded())) {
    execFileSync(process.execPath, ['--import', 'tsx', 'scripts/seed-large.ts', users, orders], {
      env: { ...process.env, ...environment },
      stdio: 'inherit',
    })
  }
  const server = await startServerProcess(environment)
  try {
    const slow = await measure(server.address)
    console.log(slow === 0 ? `All within ${MAX_MEDIAN_MS} ms.` : `${slow} are slower than ${MAX_MEDIAN_MS} ms.`)
    process.exitCode = slow === 0 ? 0 : 1
  } finally {
    await server.stop()
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

/** Sends all requests, prints median, minimum and maximum, and returns how many were too slow. */
async function measure(address: string): Promise<number> {
  console.log(`${cpus().length} × ${cpus()[0]?.model ?? '?'}, Node ${process.version}, ${await describeDatabase()}`)
  const cookie = await signIn(address)
  await untilCounted((path) => get(address, cookie, path))
  const gets = Object.values<StaffCall>(staffCalls).filter(({ method, may }) => method === 'GET' && may !== 'anyone')
  const requests = await questions(gets, (path) => get(address, cookie, path))
  let slow = 0
  for (const { what, path } of requests) {
    const { times, status } = await timesOf(address, cookie, { what, path })
    const middle = median(times)
    const isSlow = middle > MAX_MEDIAN_MS || status !== 200
    if (isSlow) slow += 1
    const figures = [middle, Math.min(...times), Math.max(...times)].map((ms) => ms.toFixed(1).padStart(8)).join(' ')
    console.log(`${figures} ms  ${status === 200 ? '' : `[${status}] `}${what}${isSlow ? '   <-- SLOW' : ''}`)
  }
  return slow
}

/** Waits until the first start has counted the totals. Without them, reports have no figures. */
async function untilCounted(read: (path: string) => Promise<unknown>): Promise<void> {
  const today = new Date().toISOString().slice(0, 10)
  for (;;) {
    const reply = await read(`/admin/reports/summary?from=${today}&to=${today}`)
    if ((reply as { counted_until: string | null }).counted_until === null) return
    await setTimeout(1_000)
  }
}

async function timesOf(
  address: string,
  cookie: string,
  { path }: PageRequest,
): Promise<{ times: number[]; status: number }> {
  const times: number[] = []
  let status = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now()
    const answer = await fetch(`${address}/api${path}`, { headers: { cookie } })
    await answer.arrayBuffer()
    times.push(performance.now() - started)
    status = answer.status
  }
  return { times, status }
}

async function get(address: string, cookie: string, path: string): Promise<unknown> {
  const answer = await fetch(`${address}/api${path}`, { headers: { cookie } })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { data: unknown }).data
}

async function signIn(address: string): Promise<string> {
  const post = (path: string, body: object) =>
    fetch(`${address}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `fairwick_demo_key=${demoKeyOf(address)}` },
      body: JSON.stringify(body),
    })
  const first = await post('/admin/sign-in', { name: DEMO_STAFF.owner, password: DEMO_STAFF.password })
  const { data } = (await first.json()) as { data: { ticket: string; demo_code: string } }
  const second = await post('/admin/sign-in/code', { ticket: data.ticket, code: data.demo_code })
  return second.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** A database that the caller provides may already be seeded by an earlier run. */
async function isSeeded(): Promise<boolean> {
  const [row] = await ask<{ found: boolean }>(`select to_regclass('order_history') is not null as found`)
  return row?.found === true && (await ask('select id from order_history limit 1')).length > 0
}

async function ask<Row extends object>(text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

async function describeDatabase(): Promise<string> {
  const [row] = await ask<{ version: string; users: string; orders: string; transfers: string }>(
    `select current_setting('server_version') as version, (select count(*) from app_user) as users,
      (select count(*) from order_history) as orders, (select count(*) from transfer) as transfers`,
  )
  return `PostgreSQL ${row?.version}: ${row?.users} users, ${row?.orders} orders, ${row?.transfers} transfers`
}
