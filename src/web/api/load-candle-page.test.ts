// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { loadCandlePage } from '#web/api/load-candle-page.ts'
import { signIn } from '#web/session/session.ts'

const QUERY = { productId: 'BTCUSDT', interval: '1m', page: 7 } as const
const ROUTE = 'GET /candles/BTCUSDT/1m/7'

test('loadCandlePage requests the page by its address, without a token', async () => {
  signIn({ token: 'T1', user: aUser() })
  const body = { data: [[0, 1, 2, 1, 2, 3]], meta: { provider: [[0, 60_000, 'binance']], partial: [] } }
  const { seen } = fakeApi({ [ROUTE]: { body } })
  expect(await loadCandlePage(QUERY)).toEqual(body)
  expect(seen.map(({ headers }) => headers.get('authorization'))).toEqual([null])
})

test('loadCandlePage throws a failure with a readable message', async () => {
  fakeApi({ [ROUTE]: { status: 404, body: { message: 'Not found', code: 'not_found' } } })
  await expect(loadCandlePage(QUERY)).rejects.toMatchObject({ kind: 'refused', code: 'not_found' })
  fakeApi({})
  await expect(loadCandlePage(QUERY)).rejects.toMatchObject({ kind: 'network' })
})
