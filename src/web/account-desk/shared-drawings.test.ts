import { expect, test, vi } from 'vitest'
import { type Drawing, readDrawing } from '#core/charts/drawing.ts'
import { sharedDrawings } from '#web/account-desk/shared-drawings.ts'

const call = vi.hoisted(() => vi.fn<() => Promise<unknown>>())
vi.mock('#web/api/call.ts', () => ({ call }))

const line = (id: string, price = '1.0'): Drawing => ({
  id,
  symbol: 'BTC',
  kind: 'horizontal',
  points: [{ time_ms: 0, price }],
  colour: 1,
})
const { join } = sharedDrawings('BTC')
const names = (drawings: readonly Drawing[]) => drawings.map(({ id, points }) => `${id} ${points[0]?.price}`)

test('`join()` merges additions, changes and deletions by drawing, and keeps the changes of another device', () => {
  const common = [line('kept'), line('moved'), line('deleted'), line('theirs')]
  const local = [line('kept'), line('moved', '2.0'), line('theirs'), line('new')]
  const stored = [line('kept'), line('moved'), line('deleted'), line('theirs', '3.0'), line('other')]
  expect(names(join(common, local, stored))).toEqual(['kept 1.0', 'moved 2.0', 'theirs 3.0', 'other 1.0', 'new 1.0'])
})

test('`join()` merges the drawings of the account and of a device that was never synchronised', () => {
  expect(names(join(null, [line('here')], [line('there')]))).toEqual(['there 1.0', 'here 1.0'])
})

/** The same drawing as devices stored it as common content before, with its fields in the server's order. */
const inOldOrder = ({ id, symbol, kind, points, colour }: Drawing) => ({ id, kind, points, colour, symbol })

test('the order of the fields in storage is no change: the deletion and the move of another device win', () => {
  const common = [inOldOrder(line('one'))]
  const local = common.map(readDrawing).filter((one) => one !== null)
  expect(names(join(common, local, []))).toEqual([])
  expect(names(join(common, local, [line('one', '5.0')]))).toEqual(['one 5.0'])
})

test('a drawing of the account has the same text as the same drawing read from the storage of a device', async () => {
  const { symbol: _, ...drawing } = inOldOrder(line('one'))
  call.mockResolvedValueOnce({ data: { version: 3, drawings: [drawing] } })
  const { content } = await sharedDrawings('BTC').read()
  expect(JSON.stringify(content)).toBe(JSON.stringify([readDrawing(line('one'))]))
})
