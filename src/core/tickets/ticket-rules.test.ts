import { expect, it } from 'vitest'
import {
  fitsFacts,
  hasTopic,
  mayDecide,
  replyDue,
  reopensUntil,
  ticketNumber,
  visibleKinds,
} from '#core/tickets/ticket-rules.ts'
import { DAY_MS, instant } from '#core/time/instant.ts'

const AT = instant(1_773_900_000_000)

it('OD14.1: a ticket number has its own format, a reply is due within a day, and a closed ticket can open again for 30 days', () => {
  expect(ticketNumber(new Uint8Array(8), AT)).toMatch(/^T-[0-9A-Z]{5}-00000-00000$/)
  expect(replyDue(AT) - AT).toBe(DAY_MS)
  expect(reopensUntil(AT) - AT).toBe(30 * DAY_MS)
  expect([hasTopic('order', 'price'), hasTopic('account', 'price')]).toEqual([true, false])
})

it('OD14.2: "void by the rules" needs a void order, and "as it should be" needs a check without a fault', () => {
  const order = (isVoid: boolean, check: 'matches' | 'differs' | 'later' | 'gone') => ({ isVoid, check })
  expect(fitsFacts('void', order(true, 'matches'))).toBe(true)
  expect(fitsFacts('void', order(false, 'matches'))).toBe(false)
  expect(fitsFacts('void', order(true, 'differs'))).toBe(false)
  expect(fitsFacts('void', null)).toBe(false)
  expect(fitsFacts('correct', order(false, 'matches'))).toBe(true)
  expect(fitsFacts('correct', order(false, 'differs'))).toBe(false)
  expect(fitsFacts('correct', order(false, 'gone'))).toBe(true)
  expect(fitsFacts('correct', order(false, 'later'))).toBe(false)
  expect(fitsFacts('mistake', order(false, 'differs'))).toBe(true)
  expect(fitsFacts('correct', null)).toBe(true)
})

it('14.1: a role sees only tickets about records that it may see, and only some roles give verdicts about orders or money', () => {
  expect(visibleKinds('markets')).toEqual(['order'])
  expect(visibleKinds('support')).toEqual(['order', 'deposit', 'withdrawal', 'account'])
  expect(visibleKinds('content')).toEqual([])
  expect([mayDecide('markets', 'order'), mayDecide('markets', 'deposit')]).toEqual([true, false])
  expect([mayDecide('finance', 'order'), mayDecide('finance', 'withdrawal')]).toEqual([false, true])
  expect([mayDecide('support', 'order'), mayDecide('owner', 'account')]).toEqual([false, true])
})
