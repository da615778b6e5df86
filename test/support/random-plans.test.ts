import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fixRandomPlans, runs } from '#test/support/random-plans.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SETUP = 'test/support/setup.ts'
/** Every environment variable the tests may read. `TEST_DATABASE_URL` selects the database and never affects a plan. */
const KNOWN_VARIABLES = new Set([
  'TEST_DATABASE_URL',
  'SERVER_PROGRAM',
  'CLOCK_SHIFT_MS',
  'RACE_REPEATS',
  'PATH',
  'HOME',
  'TZ',
])
/** Only these files may make random choices or read the variables that `npm run fuzz` sets. */
const DRAWERS = ['test/support/random-plans.ts', 'test/support/random-plans.test.ts', 'test/verifier/chance.ts']

describe('a random plan', () => {
  const plan = () => fc.sample(fc.string(), 20)

  it('P23: a random plan repeats exactly, whether or not its test sets a number of runs', () => {
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

  it('P23: a random plan prints its seed and example when shrinking takes too long', () => {
    expect(fc.readConfigureGlobal()).toMatchObject({ seed: expect.any(Number), markInterruptAsFailure: true })
    expect(() => fc.assert(fc.property(fc.nat(), (number) => number < 5))).toThrow(
      new RegExp(`seed: ${fc.readConfigureGlobal().seed ?? ''}, path: `),
    )
  })

  it('P23: Math.random gives the same values in each test file', () => {
    fixRandomPlans()
    const first = Array.from({ length: 5 }, () => Math.random())
    fixRandomPlans()
    expect(Array.from({ length: 5 }, () => Math.random())).toEqual(first)
    expect(new Set(first).size).toBe(5)
  })

  it('P23: a random plan has the number of runs that its test sets, or a multiple of it in npm run fuzz', () => {
    expect(runs(7)).toBe(process.env['RANDOM_TIMES'] === undefined ? 7 : 7 * Number(process.env['RANDOM_TIMES']))
  })
})

describe('the sources of the tests', () => {
  const sources = ['src', 'test', 'drills', 'sim', 'scripts', 'e2e']
    .flatMap(testSources)
    .filter((file) => !DRAWERS.includes(file))
  const linesWith = (pattern: RegExp, isFine: (found: string) => boolean = () => false) =>
    sources.flatMap((file) =>
      [...readFileSync(ROOT + file, 'utf8').matchAll(pattern)]
        .filter(([, found = '']) => !isFine(found))
        .map(([whole]) => `${file}: ${whole}`),
    )

  it('P23: test files set no seed, compute no number of runs, and use no other source of randomness', () => {
    expect(sources.length).toBeGreaterThan(300)
    expect(
      linesWith(/\b(?:reset)?[cC]onfigureGlobal\b|\bMath\.random\b|\bseed: (?:Date|Math|performance|random)\b.*/g),
    ).toEqual([])
    expect(linesWith(/(\{[^{}]*\bnumRuns\b[^{}]*\})/g, (options) => !/\bseed: [\d_]/.test(options))).toEqual([])
    expect(linesWith(/\bnumRuns: (?:Number|Math|process|Date)\b.*/g)).toEqual([])
    expect(
      linesWith(/\bprocess\.env\['(\w+)'\]/g, (name) => KNOWN_VARIABLES.has(name) || name.startsWith('E2E_')),
    ).toEqual([])
  })

  it('P23: every test configuration uses the setup that fixes the seed', () => {
    for (const name of ['vitest.config.ts', 'vitest.mutation.config.ts']) {
      const configuration = readFileSync(ROOT + name, 'utf8')
      const isOf = (word: string) => configuration.split(word).length - 1
      expect(isOf(`'${SETUP}'`), name).toBe(isOf('include: ['))
    }
  })
})

/** Returns the test files, and the files that only tests import. */
function testSources(folder: string): string[] {
  return readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((name) => /\.(?:test|spec)\.tsx?$|^(?:test|sim|e2e)\/.*\.ts$/.test(name))
}
