import { beforeEach, expect, it, vi } from 'vitest'
import type { Drawing } from '#core/charts/drawing.ts'

const stored = new Map<string, string>()

beforeEach(() => {
  stored.clear()
  vi.resetModules()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})

const LEVEL: Omit<Drawing, 'id'> = {
  symbol: 'BTC',
  kind: 'horizontal',
  points: [{ time_ms: 1, price: '67284.10' }],
  colour: 1,
}

const open = async () => await import('#web/chart/drawing-store.ts')

/** The drawings in storage, as the next visit reads them. */
function storedDrawings(): Drawing[] {
  const text = stored.get('drawings')
  return text === undefined ? [] : (JSON.parse(text) as { drawings: Drawing[] }).drawings
}

it('the 51st drawing of a symbol is refused, while another symbol still accepts one', async () => {
  const { addDrawing } = await open()
  for (let count = 0; count < 50; count++) expect(addDrawing(LEVEL)).toHaveProperty('id')
  expect(addDrawing(LEVEL)).toEqual({ max: 50, of: 'symbol' })
  expect(addDrawing({ ...LEVEL, symbol: 'ETH' })).toHaveProperty('id')
  expect(storedDrawings()).toHaveLength(51)
})

it('the 501st drawing of a device is refused', async () => {
  const { addDrawing } = await open()
  for (let count = 0; count < 500; count++) addDrawing({ ...LEVEL, symbol: `S${count % 10}` })
  expect(addDrawing({ ...LEVEL, symbol: 'S11' })).toEqual({ max: 500, of: 'device' })
})

it('undo restores the drawings before the last change, and only once', async () => {
  const { addDrawing, removeDrawingsOf, undoDrawing } = await open()
  addDrawing(LEVEL)
  addDrawing({ ...LEVEL, colour: 2 })
  removeDrawingsOf('BTC')
  expect(storedDrawings()).toEqual([])
  undoDrawing('BTC')
  undoDrawing('BTC')
  expect(storedDrawings().map(({ colour }) => colour)).toEqual([1, 2])
})

it('undo takes back no drawing of another device', async () => {
  const { addDrawing, drawingsNow, replaceDrawings, undoDrawing } = await open()
  addDrawing(LEVEL)
  addDrawing({ ...LEVEL, colour: 2 })
  const [first, second] = drawingsNow('BTC')
  if (first === undefined || second === undefined) throw new Error('a drawing was refused')
  replaceDrawings('BTC', [first, { ...LEVEL, id: 'theirs', colour: 3 }, second])
  undoDrawing('BTC')
  expect(drawingsNow('BTC').map(({ colour }) => colour)).toEqual([1, 3])
})

it('undo restores a deleted drawing beside those that another device drew or deleted', async () => {
  const { addDrawing, drawingsNow, removeDrawing, replaceDrawings, undoDrawing } = await open()
  for (const colour of [1, 2, 3]) addDrawing({ ...LEVEL, colour })
  const [first, second, third] = drawingsNow('BTC')
  if (first === undefined || second === undefined || third === undefined) throw new Error('a drawing was refused')
  removeDrawing(second.id)
  replaceDrawings('BTC', [third, { ...LEVEL, id: 'theirs', colour: 4 }])
  undoDrawing('BTC')
  expect(drawingsNow('BTC').map(({ colour }) => colour)).toEqual([3, 4, 2])
})

it('undo changes only the drawings of its own symbol', async () => {
  const { addDrawing, undoDrawing } = await open()
  addDrawing({ ...LEVEL, symbol: 'ETH' })
  addDrawing(LEVEL)
  undoDrawing('SOL')
  expect(storedDrawings().map(({ symbol }) => symbol)).toEqual(['ETH', 'BTC'])
  undoDrawing('ETH')
  expect(storedDrawings().map(({ symbol }) => symbol)).toEqual(['BTC'])
  undoDrawing('BTC')
  expect(storedDrawings()).toEqual([])
})

it('an undo that would exceed the limit of the device changes nothing', async () => {
  const { addDrawing, removeDrawingsOf, undoDrawing } = await open()
  addDrawing(LEVEL)
  removeDrawingsOf('BTC')
  for (let count = 0; count < 500; count++) addDrawing({ ...LEVEL, symbol: `S${count % 10}` })
  undoDrawing('BTC')
  expect(storedDrawings().filter(({ symbol }) => symbol === 'BTC')).toEqual([])
  expect(storedDrawings()).toHaveLength(500)
})

it('a drawing is changed and removed by its id', async () => {
  const { addDrawing, changeDrawing, removeDrawing } = await open()
  const added = addDrawing(LEVEL)
  addDrawing({ ...LEVEL, symbol: 'ETH' })
  if (!('id' in added)) throw new Error('the drawing was refused')
  changeDrawing(added.id, { points: [{ time_ms: 2, price: '1.5' }] })
  expect(storedDrawings().map(({ points }) => points[0]?.price)).toEqual(['1.5', '67284.10'])
  removeDrawing(added.id)
  expect(storedDrawings().map(({ symbol }) => symbol)).toEqual(['ETH'])
})

it('the choice of a tool shows hidden drawings again', async () => {
  const { addDrawing, hideDrawings, takeTool, chosenTool } = await open()
  addDrawing(LEVEL)
  hideDrawings(true)
  expect(stored.get('drawings')).toContain('"areHidden":true')
  takeTool('trend')
  expect(stored.get('drawings')).toContain('"areHidden":false')
  expect(chosenTool.get()).toBe('trend')
})

it.each([
  ['no JSON', '{'],
  ['another version', JSON.stringify({ version: 2, drawings: [{ id: 'a', ...LEVEL }] })],
  ['drawings that are no list', '{"version":1,"drawings":{"length":9}}'],
  ['a kind from the prototype', JSON.stringify({ version: 1, drawings: [{ id: 'a', ...LEVEL, kind: 'toString' }] })],
  ['too few points', JSON.stringify({ version: 1, drawings: [{ id: 'a', ...LEVEL, kind: 'trend' }] })],
  [
    'a price that is markup',
    JSON.stringify({ version: 1, drawings: [{ id: 'a', ...LEVEL, points: [{ time_ms: 1, price: '<img onerror>' }] }] }),
  ],
  [
    'a time that no date has',
    JSON.stringify({ version: 1, drawings: [{ id: 'a', ...LEVEL, points: [{ time_ms: 1e300, price: '1' }] }] }),
  ],
])('stored drawings with %s are left out, and new drawings can be added', async (_, text) => {
  stored.set('drawings', text)
  const { addDrawing } = await open()
  addDrawing({ ...LEVEL, symbol: 'ETH' })
  expect(storedDrawings().map(({ symbol }) => symbol)).toEqual(['ETH'])
})
