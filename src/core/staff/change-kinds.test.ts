import { describe, expect, it } from 'vitest'
import { CHANGE_KINDS, type ChangeKind, changeWaitMs, isChangeKind } from '#core/staff/change-kinds.ts'
import { HOUR_MS } from '#core/time/instant.ts'

const KINDS = Object.keys(CHANGE_KINDS) as ChangeKind[]

describe('changeWaitMs', () => {
  it.each<[ChangeKind, number, number]>([
    ['gateway', 24, 72],
    ['limits', 72, 72],
    ['facts', 24, 72],
    ['role', 72, 72],
    ['invite', 72, 72],
    ['reinvite', 72, 72],
    ['approver', 72, 168],
  ])('waits for %s %d h with two approvers and %d h with one', (kind, two, one) => {
    expect(changeWaitMs(kind, { mode: 'live', approvers: 2 })).toBe(two * HOUR_MS)
    expect(changeWaitMs(kind, { mode: 'live', approvers: 1 })).toBe(one * HOUR_MS)
    expect(changeWaitMs(kind, { mode: 'live', approvers: 0 })).toBe(one * HOUR_MS)
  })

  it('in a demo, a change of each kind waits one minute', () => {
    for (const kind of KINDS)
      for (const approvers of [1, 2]) expect(changeWaitMs(kind, { mode: 'demo', approvers })).toBe(60_000)
  })

  it('a change never waits for less time with one approver than with two', () => {
    for (const kind of KINDS)
      expect(changeWaitMs(kind, { mode: 'live', approvers: 1 })).toBeGreaterThanOrEqual(
        changeWaitMs(kind, { mode: 'live', approvers: 2 }),
      )
  })
})

it('isChangeKind accepts only the known kinds', () => {
  expect([isChangeKind('role'), isChangeKind('toString'), isChangeKind('')]).toEqual([true, false, false])
})
