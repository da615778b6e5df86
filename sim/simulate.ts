import { instant } from '#core/time/instant.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { Auditor } from './auditor/auditor.ts'
import { Kernel } from './kernel/kernel.ts'
import { memoryStore } from './simulation/memory-store.ts'
import { UNMODIFIED, type Parts } from './simulation/injection-points.ts'
import { SimulatedDepositor } from './simulation/simulated-depositor.ts'
import { SimulatedTrader } from './simulation/simulated-trader.ts'
import type { Plan } from './simulation/plan.ts'
import { Staff } from './simulation/staff.ts'
import type { MakeStore } from './simulation/store.ts'
import { seedWorld } from './simulation/seed-world.ts'
import { Trace } from './simulation/trace.ts'
import { World } from './simulation/world.ts'

export interface Outcome {
  readonly seed: number
  readonly violations: readonly string[]
  readonly hash: string
  /** The last lines of the trace. */
  readonly last: readonly string[]
  readonly settled: number
}

export interface SimulateOptions {
  readonly parts?: Parts
  readonly print?: (line: string) => void
  /** The store to use. Default: in memory. */
  readonly store?: MakeStore
}

const SLICE_MS = 1_000
/** After 20 s no effect of an earlier fault is pending. */
const CALM_MS = 20_000
const ROUNDS = 25
const STOPS_WITHIN_MS = 30_000

/** Runs one plan: first with all its faults, then without. */
export async function simulate(plan: Plan, options: SimulateOptions = {}): Promise<Outcome> {
  const putBack = (options.parts ?? UNMODIFIED).patch()
  try {
    return await play(plan, options)
  } finally {
    putBack()
  }
}

async function play(
  plan: Plan,
  { parts = UNMODIFIED, print, store: makeStore = memoryStore }: SimulateOptions,
): Promise<Outcome> {
  const kernel = new Kernel()
  const trace = new Trace(() => kernel.now, print ?? null)
  const startAt = TEST_START
  const store = await makeStore(kernel, parts)
  const auditor = new Auditor({
    now: () => startAt + kernel.now,
    isPolled: store.isPolled,
    rule: plan.rule,
    caps: plan.caps,
    classOf: (source) => plan.sources.classes[source === 'first' ? 0 : 1],
  })
  let ids = 0
  const newId = () => {
    ids += 1
    return `0195a000-0000-7000-8000-${ids.toString(16).padStart(12, '0')}`
  }
  const town = await seedWorld({ db: store.db, newId, now: () => instant(startAt) }, plan.users)
  const world = new World({
    plan,
    kernel,
    trace,
    auditor,
    startAt,
    surroundings: { parts, newId, shared: store.shared, engineStore: store.engineStore },
  })
  store.watch((changes) => world.observe(changes))

  const people = town.userIds.map((userId, at) => new SimulatedTrader(world, userId, `user${at}`))
  const payers = town.userIds.map((userId, at) => new SimulatedDepositor(world, userId, `user${at}`))
  const staff = town.staffIds.map((staffId) => new Staff(world, staffId, town))
  world.begin()
  for (const one of [...people, ...payers, ...staff]) one.begin()

  const isSound = () => auditor.violations.length === 0
  async function run(until: number): Promise<void> {
    while (isSound() && kernel.now < until) await kernel.runUntil(Math.min(until, kernel.now + SLICE_MS))
  }
  await run(plan.safetyMs)
  world.heal()
  await run(plan.safetyMs + CALM_MS)
  for (const one of [...people, ...payers]) void one.finish()
  void decideAll(staff, world)
  await run(plan.safetyMs + plan.livenessMs - CALM_MS)
  for (const person of people) void person.collect()
  await run(plan.safetyMs + plan.livenessMs)
  if (isSound()) auditor.finish()
  if (isSound()) {
    let hasStopped = false
    const stop = async () => {
      await world.end()
      hasStopped = true
    }
    void stop()
    await run(kernel.now + STOPS_WITHIN_MS)
    if (!hasStopped) auditor.complain('the server does not stop')
  }
  for (const violation of auditor.violations) trace.say(`VIOLATION ${violation}`)
  return {
    seed: plan.seed,
    violations: auditor.violations,
    hash: trace.hash,
    last: trace.last,
    settled: auditor.settledCount,
  }
}

/**
 * Lets all staff members decide everything that waits. Repeats this, because some subjects need two approvals, and some
 * were requested only just now.
 */
async function decideAll(staff: readonly Staff[], world: World): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const one of staff) await one.finish()
    await world.kernel.sleep(SLICE_MS)
  }
}
