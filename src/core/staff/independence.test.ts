import { describe, expect, it } from 'vitest'
import { type ApproverFacts, isSingleOperator, mayApproveTogether, waitMs } from '#core/staff/independence.ts'
import { HOUR_MS } from '#core/time/instant.ts'

const NOW = 1_000
const person = (staffId: string, facts: Partial<ApproverFacts> = {}): ApproverFacts => ({
  staffId,
  approverMs: 0,
  approverBy: ['c', 'd'],
  invitedBy: null,
  reinvitedBy: null,
  credential: `key of ${staffId}`,
  ...facts,
})

describe('mayApproveTogether', () => {
  it.each<[string, ApproverFacts, ApproverFacts, string]>([
    ['two approvers who did not admit each other', person('a'), person('b'), 'yes'],
    ['the same person twice', person('a'), person('a'), 'same_person'],
    ['a second who is no approver', person('a'), person('b', { approverMs: null }), 'not_approver'],
    ['a second who becomes an approver later', person('a'), person('b', { approverMs: NOW + 1 }), 'not_approver'],
    ['a second who is an approver since now', person('a'), person('b', { approverMs: NOW }), 'yes'],
    ['a second whom the first invited', person('a'), person('b', { invitedBy: 'a' }), 'invited'],
    ['a second whom the first invited again', person('a'), person('b', { reinvitedBy: 'a' }), 'invited'],
    ['a second whom the first admitted alone', person('a'), person('b', { approverBy: ['a'] }), 'admitted'],
    ['a second whom the first admitted with another', person('a'), person('b', { approverBy: ['a', 'c'] }), 'yes'],
    ['a second whom somebody else admitted alone', person('a'), person('b', { approverBy: ['c'] }), 'yes'],
    [
      'two with one authenticator',
      person('a', { credential: 'x' }),
      person('b', { credential: 'x' }),
      'same_credential',
    ],
    ['two without an authenticator', person('a', { credential: null }), person('b', { credential: null }), 'yes'],
  ])('decides about %s, in either order', (_, first, second, expected) => {
    for (const [one, other] of [[first, second] as const, [second, first] as const]) {
      const decided = mayApproveTogether(one, other, { now: NOW, peakApprovers: 3 })
      expect(decided.ok ? 'yes' : decided.why).toBe(expected)
      if (decided.ok) expect(decided.isAdmittedByOther).toBe(false)
    }
  })

  it.each([
    ['invited', { invitedBy: 'a' }],
    ['admitted', { approverBy: ['a'] }],
  ])('a pair in which one %s the other is marked, if there were never more than two approvers', (_, facts) => {
    const pair = [person('a'), person('b', facts)] as const
    expect(mayApproveTogether(...pair, { now: NOW, peakApprovers: 2 })).toEqual({ ok: true, isAdmittedByOther: true })
    expect(mayApproveTogether(...pair, { now: NOW, peakApprovers: 3 }).ok).toBe(false)
  })

  it('mayApproveTogether never accepts one person as both approvers, whatever the number of approvers', () => {
    expect(mayApproveTogether(person('a'), person('a'), { now: NOW, peakApprovers: 2 }).ok).toBe(false)
  })
})

describe('isSingleOperator', () => {
  it('isSingleOperator returns true with fewer than two approvers', () => {
    expect([0, 1, 2, 3].map(isSingleOperator)).toEqual([true, true, false, false])
  })
})

describe('waitMs', () => {
  it('waitMs is the full time in live mode and at most a minute in a demo', () => {
    expect([waitMs('live', 72), waitMs('demo', 72), waitMs('demo', 0)]).toEqual([72 * HOUR_MS, 60_000, 0])
  })
})
