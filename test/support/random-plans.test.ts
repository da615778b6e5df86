import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fixRandomPlans, runs } from '#test/support/random-plans.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SETUP = 'test/support/setup.ts'
/** Each names the tests' folder of its own. `TEST_DATABASE_URL` chooses the database, never what a plan does. */
const KNOWN_VARIABLES = new Set([
  'TEST_DATABASE_URL',
  'SERVER_PROGRAM',
  'CLOCK_SHIFT_MS',
  'RACE_REPEATS',
  'PATH',
  'HOME',
  'TZ',
])
/** They read the variables that `npm run fuzz` sets. */
const DRAWERS = ['test/support/random-plans.ts', 'test/support/random-plans.test.ts']

describe('a random plan', () => {
  const plan = () => fc.sample(fc.string(), 20)

  it('P23: is the same each time it is drawn, with the runs of its own or without', () => {
    expect(plan()).toEqual(plan())
    const seen: number[][] = []
    for (const parameters of [{}, { numRuns: 100 }]) {
      const drawn: number[] = []
      fc.assert(
        fc.property(fc.integer(), (number) => void drawn.push(number)),
        parameters,
      )
      seen.push(drawn)
    }
    expect(seen[0]).toHaveLength(100)
    expect(seen[1]).toEqual(seen[0])
  })

  it('P23: prints its seed and its example when it takes too long to be told what is wrong with it', () => {
    expect(fc.readConfigureGlobal()).toMatchObject({ seed: expect.any(Number), markInterruptAsFailure: true })
    expect(() => fc.assert(fc.property(fc.nat(), (number) => number < 5))).toThrow(
      new RegExp(`seed: ${fc.readConfigureGlobal().seed ?? ''}, path: `),
    )
  })

  it('P23: draws the same from Math.random in each file', () => {
    fixRandomPlans()
    const first = Array.from({ length: 5 }, () => Math.random())
    fixRandomPlans()
    expect(Array.from({ length: 5 }, () => Math.random())).toEqual(first)
    expect(new Set(first).size).toBe(5)
  })

  it('P23: is as large as its test says', () => {
    expect(runs(7)).toBe(process.env['RANDOM_TIMES'] === undefined ? 7 : 7 * Number(process.env['RANDOM_TIMES']))
  })
})

describe('the sources of the tests', () => {
  const sources = ['src', 'sim', 'scripts', 'e2e'].flatMap(testSources).filter((file) => !DRAWERS.includes(file))
  const linesWith = (pattern: RegExp, isFine: (found: string) => boolean = () => false) =>
    sources.flatMap((file) =>
      [...readFileSync(ROOT + file, 'utf8').matchAll(pattern)]
        .filter(([, found = '']) => !isFine(found))
        .map(([whole]) => `${file}: ${whole}`),
    )

  it('P23: give no plan a seed, a size or chance of another origin', () => {
    expect(sources.length).toBeGreaterThan(300)
    expect(
      linesWith(/\b(?:reset)?[cC]onfigureGlobal\b|\bMath\.random\b|\bseed: (?:Date|Math|performance|random)\b.*/g),
    ).toEqual([])
    expect(linesWith(/\bnumRuns: (?:Number|Math|process|Date)\b.*/g)).toEqual([])
    expect(
      linesWith(/\bprocess\.env\['(\w+)'\]/g, (name) => KNOWN_VARIABLES.has(name) || name.startsWith('E2E_')),
    ).toEqual([])
  })

  it('P23: run under the setup that fixes the seed, whatever configuration runs them', () => {
    for (const name of ['vitest.config.ts', 'vitest.mutation.config.ts']) {
      const configuration = readFileSync(ROOT + name, 'utf8')
      const isOf = (word: string) => configuration.split(word).length - 1
      expect(isOf(`'${SETUP}'`), name).toBe(isOf('include: ['))
    }
  })
})

/** Tests, and what only tests import. */
function testSources(folder: string): string[] {
  return readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((name) => /\.(?:test|spec)\.tsx?$|^(?:src\/testing|sim|e2e)\/.*\.ts$/.test(name))
}
