import { expect, test } from 'vitest'
import type { Drawing } from '#core/charts/drawing.ts'
import { sharedDrawings } from '#web/account-desk/shared-drawings.ts'

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
