import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DAY_MS, later } from '#core/time/instant.ts'
import { runCommand } from '#server/operator-cli/run-command.ts'
import { dropTicks, packTicks } from '#server/market-data/tick-log/pack-ticks.queries.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { numberTicks, toTicks, writeTickLog } from '#test/support/tick-log.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
beforeEach(async () => {
  app = await createTestApp(database)
})
afterEach(() => app.stop())

const pair = [
  { symbolId: 1, wait: 1 },
  { symbolId: 2, wait: 2 },
  { symbolId: 1, wait: 0 },
]
/** Batches twelve hours apart: one on 18 March, two on the 19th, two on the 20th, and one on the 21st. */
const ALL = toTicks([pair, pair, pair, pair, pair, pair], DAY_MS / 2)
const [DAY, NEXT] = ['2026-03-19', '2026-03-20']
const HEX = /^[0-9a-f]{64}$/

async function writeDays(): Promise<void> {
  await writeTickLog(database.db, ALL)
  app.ctx.clock.jump(3 * DAY_MS)
}

async function download(path: string, headers: Record<string, string> = {}) {
  const {
    statusCode,
    rawPayload,
    headers: replyHeaders,
  } = await app.http.inject({ method: 'GET', url: `/api/ticks/${path}`, headers })
  return { status: statusCode, replyHeaders, bytes: rawPayload, text: rawPayload.toString() }
}

/** Checks the file of a day as an independent program would, following docs/reference/tick-log.md alone. */
function check(csv: string): { rows: number; previous: string[]; head: string[] } {
  const lines = csv.split('\r\n').filter((line) => line !== '')
  const [previous, head] = lines.splice(-2).map((line) => line.replace(/^# \w+,/, '').split(','))
  let hash: Uint8Array = Buffer.from(previous?.[1] ?? '', 'hex')
  let text = ''
  let rows = 0
  for (const line of lines.slice(2)) {
    const [kind, seq, time, , symbolId, , price = '', volume = '', source, received, ref, batchHash] = line.split(',')
    const units = (decimal: string) => (decimal === '' ? '' : String(BigInt(decimal.replace('.', ''))))
    const number = kind === 't' && ref === '' ? '-' : ref
    const words = [kind, seq, symbolId, units(price), units(volume), time, received, source, number]
    text += `${words.filter((word) => word !== '').join(' ')}\n`
    if (seq !== '') rows += 1
    if (!batchHash) continue
    hash = createHash('sha256').update(hash).update(text).digest()
    expect(Buffer.from(hash).toString('hex')).toBe(batchHash)
    text = ''
  }
  expect(Buffer.from(hash).toString('hex')).toBe(head?.[1])
  return { rows, previous: previous ?? [], head: head ?? [] }
}

it('CA7: the file of a day proves the day, and continues where the file of the previous day ended', async () => {
  await writeDays()
  const { status, replyHeaders, text } = await download(`${DAY}.csv`)
  expect(status).toBe(200)
  expect(replyHeaders).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="ticks-${DAY}.csv"`,
  })
  const first = check(text)
  expect(first).toMatchObject({
    rows: 6,
    previous: ['3', expect.stringMatching(HEX)],
    head: ['9', expect.stringMatching(HEX)],
  })
  const [format, columns, line] = text.split('\r\n')
  expect(format).toBe('# format,2')
  expect(columns).toBe('line,seq,time_ms,time,symbol_id,symbol,price,volume,source,received_ms,ref,batch_hash')
  expect(line).toBe(',4,1773889200001,2026-03-19T03:00:00.001Z,1,BTC,10.47,0.000012,test,1773889200002,,')
  expect(check((await download(`${NEXT}.csv`)).text)).toMatchObject({ rows: 6, previous: first.head })

  const zipped = await download(`${DAY}.csv`, { 'accept-encoding': 'gzip' })
  expect(zipped.replyHeaders['content-encoding']).toBe('gzip')
  expect(gunzipSync(zipped.bytes).toString()).toBe(text)

  const one = await download(`${DAY}.csv?symbol=eth`)
  expect(one.replyHeaders['content-disposition']).toContain(`ticks-${DAY}-ETH.csv`)
  expect(one.text.split('\r\n').slice(2, 4)).toEqual(text.split('\r\n').filter((row) => row.includes(',ETH,')))

  for (let packed = 1; packed > 0; ) packed = await packTicks(database.db, app.ctx.now(), 5)
  expect((await download(`${DAY}.csv`)).text, 'packed, it is the same').toBe(text)
})

it("CA7: shows headers, the provider's numbers and the omitted rows, all covered by the hashes", async () => {
  await writeTickLog(database.db, numberTicks(ALL, 0), 0)
  app.ctx.clock.jump(3 * DAY_MS)
  const { text } = await download(`${DAY}.csv`)
  expect(check(text)).toMatchObject({ rows: 6 })
  const lines = text.split('\r\n')
  const shown = (mark: string) => lines.filter((line) => line.startsWith(mark))
  expect(shown('2,')).toEqual([`2,,,,,,,,live,,${'0'.repeat(64)},`, `2,,,,,,,,live,,${'1'.repeat(64)},`])
  expect(shown('x,')).toEqual(['x,,,,1,BTC,,,test,,6 7 lost,', 'x,,,,1,BTC,,,test,,10 11 lost,'])
  expect(shown('t,4,')).toEqual([
    't,4,1773889200001,2026-03-19T03:00:00.001Z,1,BTC,10.47,0.000012,test,1773889200002,5,',
  ])
  expect(shown('t,5,')[0]).toMatch(/,,$/)
  expect((await download(`${DAY}.csv?symbol=eth`)).text.split('\r\n').slice(2, -3)).toEqual(
    lines.filter((row) => row.includes(',ETH,')),
  )
})

it('CA7: refuses a day that is not over, was empty, or was removed', async () => {
  await writeDays()
  const refused = async (day: string) => {
    const { status, text } = await download(`${day}.csv`)
    return { status, ...(JSON.parse(text) as object) }
  }
  expect(await refused('2026-03-21')).toMatchObject({ status: 422, code: 'tick_day_open' })
  expect(await refused('2030-01-01')).toMatchObject({ status: 422, code: 'tick_day_open' })
  expect(await refused('2026-03-17')).toMatchObject({ status: 404, code: 'tick_day_empty' })
  expect(await refused('2026-02-30')).toMatchObject({ status: 404, code: 'not_found' })
  expect(await refused('yesterday')).toMatchObject({ status: 404, code: 'not_found' })
  expect(await refused(`${DAY}.csv?symbol=nothing&x=`)).toMatchObject({ status: 422, code: 'symbol_unknown' })
  for (let packed = 1; packed > 0; ) packed = await packTicks(database.db, app.ctx.now(), 3)
  while ((await dropTicks(database.db, later(TEST_START, DAY_MS / 2 + 1_000))) !== null);
  expect(await refused('2026-03-18')).toMatchObject({ status: 410, code: 'tick_day_dropped' })
  expect((await download(`${NEXT}.csv`)).status).toBe(200)
})

it('CA7: replies with status 304 when the client has the file, and limits requests', async () => {
  await writeDays()
  const { replyHeaders } = await download(`${DAY}.csv`)
  const etag = String(replyHeaders['etag'])
  const again = await download(`${DAY}.csv`, { 'if-none-match': etag })
  expect(again).toMatchObject({ status: 304, text: '' })
  expect((await download(`${DAY}.csv?symbol=btc`, { 'if-none-match': etag })).status).toBe(200)
  for (let count = 3; count < 10; count += 1) expect((await download(`${DAY}.csv`)).status).toBe(200)
  const tooMany = await download(`${DAY}.csv`)
  expect(tooMany.status).toBe(429)
  expect(Number(tooMany.replyHeaders['retry-after'])).toBeGreaterThan(60)
})

it('lets the operator export a day and verify the whole log', async () => {
  await writeDays()
  const dataDir = mkdtempSync(join(tmpdir(), 'fairwick-ticks-'))
  const command = (...args: string[]) => runCommand({ ...app, dataDir }, args, 'ann')
  try {
    const done = await command('log', 'export', DAY)
    const file = join(dataDir, 'exports', `ticks-${DAY}.csv.gz`)
    expect(done).toMatchObject({
      exitCode: 0,
      lines: [file, 'Ticks 4 to 9.', expect.stringMatching(/^Head: [0-9a-f]{64}$/)],
    })
    expect(gunzipSync(readFileSync(file)).toString()).toBe((await download(`${DAY}.csv`)).text)
    expect(await command('log', 'export', '2026-03-21')).toMatchObject({
      exitCode: 1,
      lines: ['That day is not over yet. Export it when it is over.'],
    })
    expect(await command('log', 'export', 'today')).toMatchObject({ exitCode: 2 })
    expect(await command('log', 'verify')).toMatchObject({
      exitCode: 0,
      lines: ['18 ticks in 6 batches. Of 0 batches only the hash is kept.', expect.stringMatching(HEX.source.slice(1))],
    })
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})
