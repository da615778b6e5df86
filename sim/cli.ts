// `npm run sim`: simulates a server with a virtual clock and injected faults, and has an auditor check it.
//
//   npm run sim -- --seeds 1000             a thousand runs of ten minutes each, from seed 1 (--from)
//   npm run sim -- --seed 42                repeats one run and prints its trace
//   npm run sim -- --seeds 1000 --twice     runs each seed twice and compares the traces
//   npm run sim -- --mutants                plants every known bug and searches the first seed that finds it
//   npm run sim -- --mutant tie-is-loss     the same for one bug
//   npm run sim -- --seeds 200 --embedded   on the embedded database instead of in memory
//   npm run sim -- --restarts 1000          a thousand plans of starts and stops around the boundaries of bars (--from)
//   npm run sim -- --sales 100              a hundred simulations of users who sell orders back (--from, --minutes)
//   npm run sim -- --limits 100             a hundred simulations of users who limit themselves (--from, --sessions)
//
// Exit code 1 when a fault was found (with --mutants: when a bug was not found).
import { parseArgs } from 'node:util'
import { openEmbedded } from '#test/support/database.ts'
import { type Found, findMutant } from './find-mutants.ts'
import { withClockedDatabase } from './limits/clocked-database.ts'
import { findLimitMutant } from './find-limit-mutant.ts'
import { drawLimitPlan } from './limits/limit-plan.ts'
import { playLimits } from './limits/play-limits.ts'
import { LIMIT_MUTANTS } from './mutants/limit-mutants.ts'
import { MUTANTS } from './mutants/mutants.ts'
import { simulate } from './simulate.ts'
import { onDatabase } from './simulation/database-store.ts'
import { drawPlan } from './simulation/plan.ts'
import { playAll, withWorkers } from './workers.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    twice: { type: 'boolean', default: false },
    embedded: { type: 'boolean', default: false },
    mutant: { type: 'string' },
    mutants: { type: 'boolean', default: false },
    restarts: { type: 'string' },
    sales: { type: 'string' },
    limits: { type: 'string' },
    sessions: { type: 'string', default: '4' },
  },
})

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const from = Number(values.from)
const seeds = Array.from({ length: Number(values.seeds) }, (_, at) => from + at)
const minutes = Number(values.minutes ?? (values.embedded ? 2 : 10))

async function main(): Promise<boolean> {
  if (values.mutants) return await lookForAll()
  if (values.mutant !== undefined) return await lookForOne(values.mutant)
  if (values.restarts !== undefined) return await playAllRestarts(Number(values.restarts))
  if (values.sales !== undefined) return await playAllSales(Number(values.sales))
  if (values.limits !== undefined) return await playAllLimits(Number(values.limits))
  if (values.embedded) return await playEmbedded()
  return values.seed === undefined ? await playMany() : await replay(Number(values.seed))
}

async function replay(seed: number): Promise<boolean> {
  const plan = drawPlan(seed, minutes)
  say(JSON.stringify(plan, null, 1))
  const { violations, hash, settled } = await simulate(plan, { print: say })
  say(`seed ${seed}: ${settled} orders settled, trace ${hash}, ${violations.length} violations`)
  return violations.length === 0
}

async function playMany(): Promise<boolean> {
  const started = performance.now()
  let [played, found, settled, processorMs] = [0, 0, 0, 0]
  await playAll(
    seeds.map((seed) => ({ seed, minutes, twice: values.twice })),
    (report) => {
      played += 1
      settled += report.settled
      processorMs += report.processorMs
      if (played % 1_000 === 0) say(`${played} played, ${secondsSince(started)} s`)
      if (report.violations.length === 0) return
      found += 1
      say(
        `seed ${report.seed}: ${report.violations.slice(0, 3).join('\n    ')}\n    npm run sim -- --seed ${report.seed} --minutes ${minutes}`,
      )
    },
  )
  const processor = `${(processorMs / 1_000).toFixed(0)} s of processor, ${(processorMs / played).toFixed(0)} ms each`
  say(
    `${seeds.length} seeds of ${minutes} minutes in ${secondsSince(started)} s (${processor}), ${settled} orders settled, ${found} seeds found something`,
  )
  return found === 0
}

/**
 * Runs plans of starts and stops, and compares every candle that a server shows with candles computed from its tick
 * log.
 */
async function playAllRestarts(count: number): Promise<boolean> {
  const started = performance.now()
  let [played, found, compared] = [0, 0, 0]
  const jobs = Array.from({ length: count }, (_, at) => ({ seed: from + at, minutes: 0, isRestarts: true }))
  await playAll(jobs, (report) => {
    played += 1
    compared += report.compared
    if (played % 100 === 0) say(`${played} played, ${secondsSince(started)} s`)
    if (report.violations.length === 0) return
    found += 1
    say(
      `plan ${report.seed}: ${report.violations.join('\n    ')}\n    npm run sim -- --restarts 1 --from ${report.seed}`,
    )
  })
  say(
    `${count} plans in ${secondsSince(started)} s, ${compared} candles compared, ${found} plans with differing candles`,
  )
  return found === 0
}

/** Runs simulations with sellers. */
async function playAllSales(count: number): Promise<boolean> {
  const started = performance.now()
  let [found, sold] = [0, 0]
  const jobs = Array.from({ length: count }, (_, at) => ({ seed: from + at, minutes, isOfSales: true }))
  await playAll(jobs, (report) => {
    sold += report.compared
    if (report.violations.length === 0) return
    found += 1
    const again = `npm run sim -- --sales 1 --from ${report.seed} --minutes ${minutes}`
    say(`seed ${report.seed}: ${report.violations.slice(0, 3).join('\n    ')}\n    ${again}`)
  })
  say(`${count} lives with sellers in ${secondsSince(started)} s, ${sold} orders sold, ${found} seeds found something`)
  return found === 0
}

/** Runs simulations with users who limit themselves, on the embedded database. */
async function playAllLimits(count: number): Promise<boolean> {
  const started = performance.now()
  let [found, accepted] = [0, 0]
  await withClockedDatabase(async (database) => {
    for (let seed = from; seed < from + count; seed += 1) {
      const outcome = await playLimits(database, drawLimitPlan(seed, Number(values.sessions)))
      accepted += outcome.accepted
      if (outcome.violations.length === 0) continue
      found += 1
      const again = `npm run sim -- --limits 1 --from ${seed} --sessions ${values.sessions}`
      say(`seed ${seed}: ${outcome.violations.slice(0, 3).join('\n    ')}\n    ${again}`)
    }
  })
  say(`${count} lives with limits in ${secondsSince(started)} s, ${accepted} orders, ${found} seeds found something`)
  return found === 0
}

function secondsSince(started: number): string {
  return ((performance.now() - started) / 1_000).toFixed(0)
}

async function playEmbedded(): Promise<boolean> {
  const database = await openEmbedded()
  let found = 0
  try {
    for (const seed of values.seed === undefined ? seeds : [Number(values.seed)]) {
      const { violations, settled, last } = await simulate(drawPlan(seed, minutes), { store: onDatabase(database) })
      say(`seed ${seed}: ${settled} orders settled, ${violations.length} violations`)
      if (violations.length === 0) continue
      found += 1
      say(last.join('\n'))
    }
  } finally {
    await database.close()
  }
  return found === 0
}

async function lookForAll(): Promise<boolean> {
  const areFound = await lookForMutants(Object.keys(MUTANTS))
  return (await lookForLimitMutants(Object.keys(LIMIT_MUTANTS))) && areFound
}

async function lookForOne(name: string): Promise<boolean> {
  if (LIMIT_MUTANTS[name] !== undefined) return await lookForLimitMutants([name])
  if (MUTANTS[name] !== undefined) return await lookForMutants([name])
  const names = [...Object.keys(MUTANTS), ...Object.keys(LIMIT_MUTANTS)].join(', ')
  throw new Error(`There is no planted bug ${name}; there are ${names}.`)
}

async function lookForMutants(names: readonly string[]): Promise<boolean> {
  let missed = 0
  await withWorkers((play) =>
    Promise.all(
      names.map(async (name) => {
        if (!report(name, await findMutant(play, name, { seeds, minutes }))) missed += 1
      }),
    ),
  )
  say(`${names.length - missed} of ${names.length} planted bugs found`)
  return missed === 0
}

/** These bugs need the embedded database, so their simulations run one after another. */
async function lookForLimitMutants(names: readonly string[]): Promise<boolean> {
  let missed = 0
  await withClockedDatabase(async (database) => {
    for (const name of names) {
      const found = await findLimitMutant(database, name, { seeds, sessions: Number(values.sessions) })
      if (!report(name, found)) missed += 1
    }
  })
  say(`${names.length - missed} of ${names.length} planted bugs of limits found`)
  return missed === 0
}

function report(name: string, found: Found | null): boolean {
  say(`${name}: ${found === null ? `not found in ${seeds.length} seeds` : `seed ${found.seed}: ${found.violation}`}`)
  return found !== null
}

process.exitCode = (await main()) ? 0 : 1
