import { type Money, money, ZERO } from '#core/money/money.ts'

/** The facts about a user that the tasks depend on. */
export interface TaskFacts {
  readonly isVerified: boolean
  readonly hasName: boolean
  readonly hasPin: boolean
  readonly hasDeposited: boolean
  /** Days (UTC) on which an order of the user was settled, counted up to the highest goal. */
  readonly daysTraded: number
  /** Whether the user has verified a result of one of their own orders. */
  readonly hasChecked: boolean
}

export const TRADING_DAYS_GOAL = 3

/**
 * The tasks in the order a new user meets them. `usual` is the default reward in hundredths of a credit, until staff
 * change it.
 */
const TASKS = [
  { key: 'verify', usual: 66_600, goal: 1, progress: ({ isVerified }: TaskFacts) => Number(isVerified) },
  { key: 'profile', usual: 50_000, goal: 1, progress: ({ hasName }: TaskFacts) => Number(hasName) },
  { key: 'pin', usual: 50_000, goal: 1, progress: ({ hasPin }: TaskFacts) => Number(hasPin) },
  { key: 'deposit', usual: 150_000, goal: 1, progress: ({ hasDeposited }: TaskFacts) => Number(hasDeposited) },
  { key: 'trade', usual: 150_000, goal: 1, progress: ({ daysTraded }: TaskFacts) => daysTraded },
  { key: 'check', usual: 50_000, goal: 1, progress: ({ hasChecked }: TaskFacts) => Number(hasChecked) },
  { key: 'days', usual: 150_000, goal: TRADING_DAYS_GOAL, progress: ({ daysTraded }: TaskFacts) => daysTraded },
] as const
export type BeginnerTaskKey = (typeof TASKS)[number]['key']

export interface BeginnerTask {
  readonly key: BeginnerTaskKey
  /** The credits that are paid once, when the task is done. */
  readonly amount: Money
  /** The progress at which the task is done. */
  readonly goal: number
  readonly progress: (facts: TaskFacts) => number
}

/** The reward of each task. A task with a zero reward is not offered. */
export type TaskAmounts = Readonly<Record<BeginnerTaskKey, Money>>

export const USUAL_AMOUNTS = Object.fromEntries(TASKS.map(({ key, usual }) => [key, money(usual)])) as TaskAmounts

/** Lists the offered tasks. The app may promise exactly the sum of their rewards. */
export function offeredTasks(amounts: TaskAmounts): readonly BeginnerTask[] {
  return TASKS.map(({ key, goal, progress }) => ({ key, goal, progress, amount: amounts[key] })).filter(
    ({ amount }) => amount > ZERO,
  )
}

/** Lists the tasks that a user sees: the offered tasks, and the tasks that were paid, with the reward that was paid. */
export function tasksOf(amounts: TaskAmounts, paid: ReadonlyMap<string, Money>): readonly BeginnerTask[] {
  const own = TASKS.map(({ key }) => [key, paid.get(key) ?? amounts[key]] as const)
  return offeredTasks(Object.fromEntries(own) as TaskAmounts)
}

export function sumOf(tasks: readonly { readonly amount: Money }[]): Money {
  return money(tasks.reduce<bigint>((sum, { amount }) => sum + amount, ZERO))
}

/** Returns the progress of a task, at most its goal. */
export function progressOf(task: BeginnerTask, facts: TaskFacts): number {
  return Math.min(task.progress(facts), task.goal)
}

/** Lists the tasks that are done but not yet paid. */
export function tasksToPay(
  amounts: TaskAmounts,
  facts: TaskFacts,
  paid: Pick<ReadonlySet<string>, 'has'>,
): BeginnerTask[] {
  return offeredTasks(amounts).filter((task) => !paid.has(task.key) && progressOf(task, facts) >= task.goal)
}
