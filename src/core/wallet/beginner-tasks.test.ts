import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Money, money, moneyText } from '#core/money/money.ts'
import {
  offeredTasks,
  progressOf,
  sumOf,
  type TaskAmounts,
  tasksOf,
  tasksToPay,
  USUAL_AMOUNTS,
} from '#core/wallet/beginner-tasks.ts'

const anyFacts = fc.record({
  isVerified: fc.boolean(),
  hasName: fc.boolean(),
  hasPin: fc.boolean(),
  hasDeposited: fc.boolean(),
  daysTraded: fc.nat({ max: 10 }),
  hasChecked: fc.boolean(),
})
const anyAmount = fc.oneof(fc.constant(0), fc.nat({ max: 200_000 })).map((cents) => money(cents))
const anyAmounts: fc.Arbitrary<TaskAmounts> = fc.record({
  verify: anyAmount,
  profile: anyAmount,
  pin: anyAmount,
  deposit: anyAmount,
  trade: anyAmount,
  check: anyAmount,
  days: anyAmount,
})

test('SC37: the tasks pay 6,666 credits in total by default', () => {
  const tasks = offeredTasks(USUAL_AMOUNTS)
  expect(moneyText(sumOf(tasks))).toBe('6666.00')
  expect(tasks.map(({ key }) => key)).toEqual(['verify', 'profile', 'pin', 'deposit', 'trade', 'check', 'days'])
})

test('PR1: a task with a zero reward is not offered and never paid', () => {
  const amounts = { ...USUAL_AMOUNTS, pin: money(0) }
  const done = { ...NOTHING, hasPin: true }
  expect(offeredTasks(amounts).map(({ key }) => key)).not.toContain('pin')
  expect(moneyText(sumOf(offeredTasks(amounts)))).toBe('6166.00')
  expect(tasksToPay(amounts, done, new Set())).toEqual([])
  expect(tasksToPay(USUAL_AMOUNTS, done, new Set()).map(({ key }) => key)).toEqual(['pin'])
})

test('PR1: a done task is paid once, with the reward in force, in any order of events', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyFacts, anyAmounts), { maxLength: 20 }), (moments) => {
      const paid = new Map<string, Money>()
      let earned = 0n
      for (const [facts, amounts] of moments) {
        const due = tasksToPay(amounts, facts, paid)
        for (const task of due) {
          expect(paid.has(task.key)).toBe(false)
          expect(progressOf(task, facts)).toBe(task.goal)
          expect(task.amount).toBe(amounts[task.key])
          expect(task.amount > 0n).toBe(true)
          paid.set(task.key, task.amount)
        }
        earned += sumOf(due)
        expect(tasksToPay(amounts, facts, paid)).toEqual([])
        // Paid rewards never change, and the displayed rewards add up to them.
        const own = tasksOf(amounts, paid)
        expect(sumOf(own.filter(({ key }) => paid.has(key)))).toBe(earned)
        expect(own.filter(({ key }) => !paid.has(key)).every(({ key, amount }) => amounts[key] === amount)).toBe(true)
      }
    }),
  )
})

const NOTHING = {
  isVerified: false,
  hasName: false,
  hasPin: false,
  hasDeposited: false,
  daysTraded: 0,
  hasChecked: false,
}
