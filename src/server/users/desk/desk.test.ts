import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  alice = await app.verifiedUser('alice')
})
afterEach(() => app.stop())

const BTC = { product: 'BTC' }
const line = (id: string, price = '67000.5') => ({
  id,
  kind: 'horizontal' as const,
  points: [{ time_ms: 1_700_000_000_000, price }],
  colour: 1,
})
const read = async ({ token } = alice) => (await app.call(calls.desk, { token })).body.data
const save = (version: number, settings: object, { token } = alice) =>
  app.call(calls.saveDesk, { token, body: { version, settings } })
const readDrawings = async (params = BTC, { token } = alice) =>
  (await app.call(calls.drawings, { token, params })).body.data
const draw = (version: number, drawings: ReturnType<typeof line>[], params = BTC) =>
  app.call(calls.saveDrawings, { token: alice.token, params, body: { version, drawings } })

describe('the settings of the chart', () => {
  it('appear on every device of the user, and no other user can read them', async () => {
    expect(await read()).toEqual({ version: 0, settings: null })
    const settings = { type: 'bars', interval: '1h', ticks: 'second', logarithmic: true, indicators: [] }
    expect((await save(0, settings)).body.data).toEqual({ version: 1 })
    expect(await read()).toEqual({ version: 1, settings })
    expect(await read(await app.verifiedUser('bob'))).toEqual({ version: 0, settings: null })
  })

  it('when two devices change the same version of the chart settings, one change is stored and the other is refused', async () => {
    await save(0, { type: 'bars' })
    const both = await Promise.all([save(1, { type: 'line' }), save(1, { type: 'area' })])
    expect(both.map(({ body }) => body.code ?? 'stored').toSorted()).toEqual(['desk_conflict', 'stored'])
    expect((await save(0, { type: 'candles' })).body.code).toBe('desk_conflict')
    expect((await read()).version).toBe(2)
  })

  it('chart settings are stored without unknown fields, and invalid values are replaced by valid ones', async () => {
    const rsi = { kind: 'rsi', parameters: [1e9], source: 'nowhere', colour: -5, more: 1 }
    await save(0, { more: 1, indicators: [rsi, { kind: 'none' }] })
    const { settings } = await read()
    expect(settings).toMatchObject({ type: 'candles', interval: '1m', ticks: null, logarithmic: false })
    expect(settings?.indicators).toHaveLength(1)
    expect(settings?.indicators[0]).toMatchObject({ kind: 'rsi', source: 'close', colour: 0 })
    expect(settings?.indicators[0]?.parameters[0]).toBeLessThan(1e4)
    expect(Object.keys(settings?.indicators[0] ?? {}).toSorted()).toEqual(['colour', 'kind', 'parameters', 'source'])
  })

  it.each([
    ['a text of 1 MB', { type: 'x'.repeat(1_000_000) }],
    ['a type that is no text', { type: 5 }],
    ['an unknown type', { type: 'pie' }],
    ['an unknown interval', { interval: '7y' }],
    ['an unknown line of ticks', { ticks: 'minute' }],
    ['indicators that are no list', { indicators: 'rsi' }],
  ])('are refused with %s', async (_, settings) => {
    expect((await save(0, settings)).status).toBeGreaterThanOrEqual(400)
    expect((await read()).version).toBe(0)
  })

  it('ignore a field named __proto__', async () => {
    const settings = JSON.parse('{"type":"bars","__proto__":{"logarithmic":true}}') as object
    await save(0, settings)
    expect((await read()).settings?.logarithmic ?? false).toBe(false)
  })
})

describe('drawings', () => {
  it('belong to a symbol, by code or product id, and appear on another device', async () => {
    expect((await draw(0, [line('a'), line('b')])).body.data).toEqual({ version: 1 })
    expect(await readDrawings({ product: 'btcusdt' })).toEqual({ version: 1, drawings: [line('a'), line('b')] })
    expect(await readDrawings({ product: 'ETH' })).toEqual({ version: 0, drawings: [] })
    expect((await app.call(calls.drawings, { token: alice.token, params: { product: 'NONE' } })).status).toBe(404)
  })

  it.each(['<img onerror>', 'NaN', '-1', '1e5', '0x10'])(
    'with the price %s are refused, and the stored ones stay',
    async (price) => {
      await draw(0, [line('a')])
      expect((await draw(1, [line('b', price)])).status).toBe(422)
      expect(await readDrawings()).toEqual({ version: 1, drawings: [line('a')] })
    },
  )

  const [point, other] = [line('a').points[0], { time_ms: 1_700_000_060_000, price: '67100' }]
  it.each([
    ['a trend line with one point', [{ ...line('b'), kind: 'trend', points: [point] }]],
    ['a trend line with three points', [{ ...line('b'), kind: 'trend', points: [point, other, point] }]],
    ['a horizontal line with two points', [{ ...line('b'), points: [point, other] }]],
    ['a line without a point', [{ ...line('b'), points: [] }]],
    ['two lines with one id', [line('b'), line('b', '1')]],
  ])('with %s are refused, and the stored ones stay', async (_, drawings) => {
    await draw(0, [line('a')])
    const { status, body } = await draw(1, drawings as ReturnType<typeof line>[])
    expect([status, body.errors]).toMatchObject([422, { drawings: [expect.any(String)] }])
    expect(await readDrawings()).toEqual({ version: 1, drawings: [line('a')] })
  })

  it('the 51st drawing of a symbol and the 501st drawing of a user are refused', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => line(`line-${at}`))
    expect((await draw(0, many(51))).status).toBe(422)
    for (const { code } of app.catalogue.symbols.slice(0, 10)) {
      expect((await draw(0, many(50), { product: code })).body.code, code).toBeUndefined()
    }
    const last = app.catalogue.symbols[10]?.code ?? ''
    expect((await draw(0, many(1), { product: last })).body.code).toBe('too_many_drawings')
    expect(await readDrawings({ product: last })).toEqual({ version: 0, drawings: [] })
  })
})
