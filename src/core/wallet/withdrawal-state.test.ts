import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  STEP_NAMES as STEPS,
  isUnpaid,
  stateAfter,
  statusOfState,
  userStep,
  WITHDRAWAL_STATES,
  type WithdrawalState,
  type WithdrawalStep,
} from '#core/wallet/withdrawal-state.ts'

describe('the steps of a withdrawal', () => {
  it.each<[WithdrawalStep[], WithdrawalState | null]>([
    [['requested', 'approved', 'paying', 'paid'], 'paid'],
    [['requested', 'approved', 'paying', 'paid', 'returned'], 'returned'],
    [['requested', 'approved', 'paying', 'unsent', 'cancelled'], 'cancelled'],
    [['requested', 'approved', 'details_changed'], 'requested'],
    [['requested', 'approved', 'paying', 'details_changed'], 'paying'],
    [['requested', 'first_approval', 'approved', 'paying', 'taken_over', 'failed'], 'failed'],
    [['requested', 'paying'], null],
    [['requested', 'approved', 'paying', 'cancelled'], null],
    [['requested', 'approved', 'paying', 'rejected'], null],
    [['requested', 'approved', 'paying', 'paid', 'failed'], null],
    [['approved'], null],
  ])('%j lead to %s', (steps, end) => {
    let state: WithdrawalState | null = null
    let isPossible = true
    for (const step of steps) {
      state = stateAfter(step, state)
      if (state === null) isPossible = false
    }
    expect(isPossible ? state : null).toBe(end)
  })

  it('a withdrawal reaches only one of paid, failed, rejected and cancelled, and only a paid one can be returned', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...STEPS), { maxLength: 30 }), (steps) => {
        let state: WithdrawalState | null = 'requested'
        const ends: WithdrawalState[] = []
        for (const step of steps) {
          const next = stateAfter(step, state)
          if (next === null) continue
          if (next !== state && statusOfState(next) !== 2) ends.push(next)
          state = next
        }
        expect([[], ['paid'], ['paid', 'returned'], ['failed'], ['rejected'], ['cancelled']]).toContainEqual(ends)
      }),
    )
  })

  it('each state has one status, and the user sees every step that changes the state', () => {
    expect(WITHDRAWAL_STATES.map(statusOfState)).toEqual([2, 2, 2, 1, 3, 3, 3, 3])
    expect(WITHDRAWAL_STATES.filter(isUnpaid)).toEqual(['requested', 'approved'])
    for (const step of STEPS) {
      const changes = WITHDRAWAL_STATES.some((state) => (stateAfter(step, state) ?? state) !== state)
      if (changes) expect(userStep(step)).toBe(step)
    }
    expect(userStep('taken_over')).toBeNull()
  })
})
