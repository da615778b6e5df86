import { expect, it } from 'vitest'
import type { LogNote } from '#core/markets/log-text.ts'
import { price, volume } from '#core/money/price.ts'
import { instant } from '#core/time/instant.ts'
import { BatchWriter } from '#server/market-data/tick-log/batch-writer.ts'
import type { BufferedTick } from '#server/market-data/tick-log/tick-buffer.ts'

function tick(ref: number | undefined, change: Partial<BufferedTick> = {}): BufferedTick {
  const at = instant(1_000)
  const fields = { symbolId: 1, price: price(5), volume: volume(0), time: at, receivedAt: at, source: 'a' }
  return { ...fields, ref, sources: 'c', notes: [], ...change }
}

function leftOut(from: number, to: number, why: 'spike' | 'doubt' = 'spike'): LogNote {
  return { kind: 'x', symbolId: 1, source: 'a', from, to, why }
}

/** Formats the batches and returns their lines. A line of a tick is shortened to the provider's trade number. */
function written(...batches: readonly (readonly BufferedTick[])[]): string[] {
  const writer = new BatchWriter()
  return batches.flatMap((batch) => {
    const { payload, commit } = writer.draft(batch, 1)
    commit()
    const lines = payload.trimEnd().split('\n')
    return lines.map((line) => (line.startsWith('t') ? (line.split(' ').at(-1) ?? '') : line))
  })
}

it.each<[string, readonly BufferedTick[], readonly string[]]>([
  ['names the source of a first price', [tick(7)], ['u 1 a start', '7']],
  ['says nothing while numbers follow each other', [tick(7), tick(8)], ['u 1 a start', '7', '8']],
  [
    'names missing numbers as lost',
    [tick(7), tick(9), tick(13)],
    ['u 1 a start', '7', 'x 1 a 8 8 lost', '9', 'x 1 a 10 12 lost', '13'],
  ],
  [
    'does not name a number twice that is left out',
    [tick(7), tick(10, { notes: [leftOut(8, 8), leftOut(9, 9, 'doubt')] })],
    ['u 1 a start', '7', 'x 1 a 8 8 spike', 'x 1 a 9 9 doubt', '10'],
  ],
  [
    'names what is missing beside numbers that are left out',
    [tick(7), tick(12, { notes: [leftOut(9, 10)] })],
    ['u 1 a start', '7', 'x 1 a 9 10 spike', 'x 1 a 8 8 lost', 'x 1 a 11 11 lost', '12'],
  ],
  [
    'remembers a number that was left out before an earlier one became a price',
    [tick(7), tick(8, { notes: [leftOut(9, 9)] }), tick(10)],
    ['u 1 a start', '7', 'x 1 a 9 9 spike', '8', '10'],
  ],
  [
    'begins anew after another source was used',
    [tick(7), tick(3, { source: 'b', notes: [{ kind: 'u', symbolId: 1, source: 'b', why: 'silent' }] }), tick(20)],
    ['u 1 a start', '7', 'u 1 b silent', '3', '20'],
  ],
  [
    'begins anew when the numbers of a source do',
    [tick(700), tick(2), tick(4)],
    ['u 1 a start', '700', '2', 'x 1 a 3 3 lost', '4'],
  ],
  ['says nothing about prices without numbers', [tick(undefined), tick(undefined)], ['u 1 a start', '-', '-']],
  [
    'keeps symbols apart',
    [tick(7), tick(50, { symbolId: 2 }), tick(8)],
    ['u 1 a start', '7', 'u 2 a start', '50', '8'],
  ],
])('%s', (_, ticks, lines) => {
  expect(written(ticks)).toEqual(['2 live c', ...lines])
  const one = ticks.map((each) => [each])
  expect(written(...one).filter((line) => line !== '2 live c')).toEqual(lines)
})

it('keeps its state when a batch was not written', () => {
  const writer = new BatchWriter()
  writer.draft([tick(7)], 1).commit()
  writer.draft([tick(9)], 2)
  expect(writer.draft([tick(8)], 2).payload).toBe('2 live c\nt 2 1 5 0 1000 1000 a 8\n')
})

it('continues after prices that another server wrote', () => {
  const writer = new BatchWriter()
  writer.draft([tick(7)], 1).commit()
  writer.take([{ ...tick(9), seq: 2 }])
  expect(writer.draft([tick(10)], 3).payload).toBe('2 live c\nt 3 1 5 0 1000 1000 a 10\n')
})
