import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { moneyText } from '#core/money/money.ts'
import { BEGINNER_BONUS, BEGINNER_TASKS, progressOf, sumOf, tasksToPay } from '#core/wallet/beginner-tasks.ts'

const anyFacts = fc.record({
  isVerified: fc.boolean(),
  hasName: fc.boolean(),
  hasPin: fc.boolean(),
  hasDeposited: fc.boolean(),
  daysTraded: fc.nat({ max: 10 }),
})

test('the tasks pay 6,666 credits in all', () => {
  expect(moneyText(BEGINNER_BONUS)).toBe('6666.00')
  expect(new Set(BEGINNER_TASKS.map(({ key }) => key)).size).toBe(BEGINNER_TASKS.length)
})

test('a task is paid when it is done and was not paid before, whatever came in which order', () => {
  fc.assert(
    fc.property(fc.array(anyFacts, { maxLength: 20 }), (moments) => {
      const paid = new Set<string>()
      let earned = 0n
      for (const facts of moments) {
        const due = tasksToPay(facts, paid)
        for (const task of due) {
          expect(paid.has(task.key)).toBe(false)
          expect(progressOf(task, facts)).toBe(task.goal)
          paid.add(task.key)
        }
        earned += sumOf(due)
        expect(tasksToPay(facts, paid)).toEqual([])
      }
      expect(earned).toBe(sumOf(BEGINNER_TASKS.filter(({ key }) => paid.has(key))))
      expect(earned <= BEGINNER_BONUS).toBe(true)
    }),
  )
})
