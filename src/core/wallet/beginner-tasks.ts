import { type Money, money, ZERO } from '#core/money/money.ts'

/** What is known of a user, as far as the tasks ask. */
export interface TaskFacts {
  readonly isVerified: boolean
  readonly hasName: boolean
  readonly hasPin: boolean
  readonly hasDeposited: boolean
  /** Days (UTC) on which an order of theirs was settled; counted no further than the tasks ask. */
  readonly daysTraded: number
  /** They have computed a result of their own again. */
  readonly hasChecked: boolean
}

export const DAYS_ASKED = 3

/** The tasks in the order in which a newcomer meets them, with the credits they pay until an operator says otherwise. */
const TASKS = [
  { key: 'verify', usual: 66_600, goal: 1, progress: ({ isVerified }: TaskFacts) => Number(isVerified) },
  { key: 'profile', usual: 50_000, goal: 1, progress: ({ hasName }: TaskFacts) => Number(hasName) },
  { key: 'pin', usual: 50_000, goal: 1, progress: ({ hasPin }: TaskFacts) => Number(hasPin) },
  { key: 'deposit', usual: 150_000, goal: 1, progress: ({ hasDeposited }: TaskFacts) => Number(hasDeposited) },
  { key: 'trade', usual: 150_000, goal: 1, progress: ({ daysTraded }: TaskFacts) => daysTraded },
  { key: 'check', usual: 50_000, goal: 1, progress: ({ hasChecked }: TaskFacts) => Number(hasChecked) },
  { key: 'days', usual: 150_000, goal: DAYS_ASKED, progress: ({ daysTraded }: TaskFacts) => daysTraded },
] as const
export type BeginnerTaskKey = (typeof TASKS)[number]['key']

export interface BeginnerTask {
  readonly key: BeginnerTaskKey
  /** Credits it pays, once. */
  readonly amount: Money
  /** It is done when the progress has come this far. */
  readonly goal: number
  readonly progress: (facts: TaskFacts) => number
}

/** What each task pays; one that pays nothing is not there. */
export type TaskAmounts = Readonly<Record<BeginnerTaskKey, Money>>

export const USUAL_AMOUNTS = Object.fromEntries(TASKS.map(({ key, usual }) => [key, money(usual)])) as TaskAmounts

/** The tasks that are offered. The sum of their amounts is what may be promised, and nothing else is. */
export function offeredTasks(amounts: TaskAmounts): readonly BeginnerTask[] {
  return TASKS.map(({ key, goal, progress }) => ({ key, goal, progress, amount: amounts[key] })).filter(
    ({ amount }) => amount > ZERO,
  )
}

/** What a user sees: tasks that are offered, and those that were paid with what they paid then. */
export function tasksOf(amounts: TaskAmounts, paid: ReadonlyMap<string, Money>): readonly BeginnerTask[] {
  const own = TASKS.map(({ key }) => [key, paid.get(key) ?? amounts[key]] as const)
  return offeredTasks(Object.fromEntries(own) as TaskAmounts)
}

export function sumOf(tasks: readonly { readonly amount: Money }[]): Money {
  return money(tasks.reduce<bigint>((sum, { amount }) => sum + amount, ZERO))
}

/** How far along a task is, never beyond its goal. */
export function progressOf(task: BeginnerTask, facts: TaskFacts): number {
  return Math.min(task.progress(facts), task.goal)
}

/** The tasks that are done and not yet paid. */
export function tasksToPay(
  amounts: TaskAmounts,
  facts: TaskFacts,
  paid: Pick<ReadonlySet<string>, 'has'>,
): BeginnerTask[] {
  return offeredTasks(amounts).filter((task) => !paid.has(task.key) && progressOf(task, facts) >= task.goal)
}
