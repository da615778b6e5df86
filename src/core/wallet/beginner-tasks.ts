import { type Money, money, ZERO } from '#core/money/money.ts'

/** What is known of a user, as far as the tasks ask. */
export interface TaskFacts {
  readonly isVerified: boolean
  readonly hasName: boolean
  readonly hasPin: boolean
  readonly hasDeposited: boolean
  /** Days (UTC) on which an order of theirs was settled; counted no further than the tasks ask. */
  readonly daysTraded: number
}

export interface BeginnerTask {
  readonly key: BeginnerTaskKey
  /** Credits it pays, once. */
  readonly amount: Money
  /** It is done when the progress has come this far. */
  readonly goal: number
  readonly progress: (facts: TaskFacts) => number
}

export const DAYS_ASKED = 3

/** The tasks in the order in which a newcomer meets them. Their sum is what the home page promises. */
const TASKS = [
  { key: 'verify', amount: 66_600, goal: 1, progress: ({ isVerified }: TaskFacts) => Number(isVerified) },
  { key: 'profile', amount: 50_000, goal: 1, progress: ({ hasName }: TaskFacts) => Number(hasName) },
  { key: 'pin', amount: 50_000, goal: 1, progress: ({ hasPin }: TaskFacts) => Number(hasPin) },
  { key: 'deposit', amount: 150_000, goal: 1, progress: ({ hasDeposited }: TaskFacts) => Number(hasDeposited) },
  { key: 'trade', amount: 150_000, goal: 1, progress: ({ daysTraded }: TaskFacts) => daysTraded },
  { key: 'days', amount: 200_000, goal: DAYS_ASKED, progress: ({ daysTraded }: TaskFacts) => daysTraded },
] as const
export type BeginnerTaskKey = (typeof TASKS)[number]['key']

export const BEGINNER_TASKS: readonly BeginnerTask[] = TASKS.map((task) => ({ ...task, amount: money(task.amount) }))

/** All credits there are to earn. */
export const BEGINNER_BONUS: Money = sumOf(BEGINNER_TASKS)

export function sumOf(tasks: readonly { readonly amount: Money }[]): Money {
  return money(tasks.reduce<bigint>((sum, { amount }) => sum + amount, ZERO))
}

/** How far along a task is, never beyond its goal. */
export function progressOf(task: BeginnerTask, facts: TaskFacts): number {
  return Math.min(task.progress(facts), task.goal)
}

/** The tasks that are done and not yet paid. */
export function tasksToPay(facts: TaskFacts, paid: Pick<ReadonlySet<string>, 'has'>): BeginnerTask[] {
  return BEGINNER_TASKS.filter((task) => !paid.has(task.key) && progressOf(task, facts) >= task.goal)
}
