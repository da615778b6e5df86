import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayCsv } from '#test/support/day-csv.ts'
import { COULD_NOT_CHECK, DIFFERS } from '../check-verdict.ts'
import { calibrateDays } from './calibrate-days.ts'

const DAY = '2026-03-04'
const START = Date.parse(`${DAY}T08:00Z`)
const HOURS = 2
const EVERY_MS = 2_000
const TICKS = (HOURS * 3_600_000) / EVERY_MS

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'calibrate-'))
  const rows = randomWalk()
  writeFileSync(join(folder, 'walk.csv.gz'), gzipSync(`time_ms_utc,price\n${rows.join('\n')}\n`))
  mkdirSync(join(folder, 'log'))
  writeFileSync(join(folder, 'log', `ticks-${DAY}.csv`), dayCsv([payloadOf(rows)], { symbol: 'BTC', decimals: 5 }))
  writeFileSync(join(folder, 'text.csv.gz'), 'time_ms_utc,price\n')
  writeFileSync(join(folder, 'empty.csv'), 'time_ms_utc,price\n')
  writeFileSync(join(folder, 'broken.csv'), 'time_ms_utc,price\n2,1.1\n1,1.1\n')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A number from 0 up to, but not including, 1 that looks random. The same place always gives the same number. */
function noise(at: number): number {
  const value = Math.sin(at * 12.9898) * 43_758.5453
  return value - Math.floor(value)
}

/** A price that moves by the sum of uniform steps, every two seconds: no seller can know where it goes. */
function randomWalk(): string[] {
  let units = 1_000_000
  return Array.from({ length: TICKS }, (_, at) => {
    for (let step = 0; step < 6; step += 1) units += Math.round((noise(at * 6 + step) - 0.5) * 40)
    return `${START + at * EVERY_MS},${(units / 1e5).toFixed(5)}`
  })
}

/** Returns the text of one batch of the tick log with these prices. */
function payloadOf(rows: readonly string[]): string {
  const lines = rows.map((row, at) => {
    const [time = '', text = ''] = row.split(',')
    return `t ${at + 1} 1 ${text.replace('.', '')} 0 ${time} ${time} computed -`
  })
  return `2 live ${'a'.repeat(64)}\n${lines.join('\n')}\n`
}

const run = (...args: string[]) => calibrateDays(args)
const walk = () => [join(folder, 'walk.csv.gz'), '--market', 'crypto', '--decimals', '5', '--lengths', '300']

describe('the calibration of a random walk', () => {
  it('reports how much each seller gains, and that one day of prices is too little', async () => {
    const { exitCode, lines } = await run(...walk())
    const houseGain = (who: string) => {
      const row = lines.find((line) => line.startsWith(`| knows the market 500 ms sooner, carried out ${who}`))
      return Number(row?.split('|')[2]?.split('±')[0])
    }
    expect(lines[0]).toBe(`${TICKS} prices of 1 days, scale 90 %, payout 85 %.`)
    expect(houseGain('at once')).toBeLessThan(houseGain('by the rule') - 2)
    expect(lines).toContain('- 1 days are too few: 10 are needed.')
    expect(exitCode).toBe(DIFFERS)
  })

  it('reads the same prices from days of the tick log', async () => {
    const [, ...options] = walk()
    const folderOfLog = join(folder, 'log')
    const [recorded, logged] = [await run(...walk()), await run(folderOfLog, '--symbol', 'btc', ...options)]
    expect(logged.lines).toEqual(recorded.lines)
    const file = join(folderOfLog, `ticks-${DAY}.csv`)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/,(?:10|9)\.(\d)/, ',8.$1'))
    expect((await run(folderOfLog, '--symbol', 'btc')).exitCode).toBe(COULD_NOT_CHECK)
  })
})

describe('a calibration that cannot be made', () => {
  it.each([
    ['no file', [], 'Usage'],
    ['a file that is not there', ['gone.csv.gz'], 'There is no gone.csv.gz.'],
    ['an unknown option', ['x', '--price', '3'], 'price'],
    ['times that run back', ['broken.csv', '--market', 'crypto', '--decimals', '1'], 'line 3'],
    ['a file that is not gzip', ['text.csv.gz', '--market', 'crypto', '--decimals', '1'], 'not compressed by gzip'],
    ['no prices', ['empty.csv', '--market', 'crypto', '--decimals', '1'], 'has no prices'],
    ['an unknown recording without its market', ['walk.csv.gz'], 'give --market and --decimals'],
    ['a market that does not exist', ['walk.csv.gz', '--market', 'gold', '--decimals', '5'], '--market is'],
    ['too many decimals', ['walk.csv.gz', '--market', 'crypto', '--decimals', '9'], '--decimals is'],
    ['a folder without a symbol', ['.'], 'give --symbol'],
    ['a folder without days', ['.', '--symbol', 'BTC'], 'There is no ticks-'],
    [
      'orders too short to be sold',
      ['walk.csv.gz', '--lengths', '299', '--market', 'crypto', '--decimals', '5'],
      'at least 300 s',
    ],
    [
      'a scale outside of the terms',
      ['walk.csv.gz', '--scale', '69', '--market', 'crypto', '--decimals', '5'],
      '--scale is',
    ],
    ['a fee that is no number', ['walk.csv.gz', '--fee', '-1', '--market', 'crypto', '--decimals', '5'], 'ambiguous'],
  ])('%s', async (_, args, message) => {
    const [file, ...rest] = args
    const { exitCode, lines } = await run(
      ...(file === undefined ? [] : [file === 'x' ? file : join(folder, file)]),
      ...rest,
    )
    expect(lines.join('\n')).toContain(message.replace('gone.csv.gz.', `${join(folder, 'gone.csv.gz')}.`))
    expect(exitCode).toBe(COULD_NOT_CHECK)
  })
})
