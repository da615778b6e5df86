import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  afterDetails,
  afterPin,
  isFromWithdraw,
  methodPath,
  pinPath,
  type WithdrawFacts,
  wantedMethod,
  withdrawStep,
} from '#core/navigation/withdraw-flow.ts'

const READY = { id: 1, isReady: true }
const BARE = { id: 2, isReady: false }
const OTHER = { id: 3, isReady: true }

describe('withdrawStep', () => {
  it.each<[string, Partial<WithdrawFacts>, ReturnType<typeof withdrawStep>]>([
    [
      'sends a user without a PIN to the PIN screen',
      { hasPin: false, methods: [READY] },
      { kind: 'go', to: '/account/withdraw-pin?redirect=withdraw' },
    ],
    [
      'asks for a PIN first, even without methods',
      { hasPin: false, methods: [] },
      { kind: 'go', to: pinPath({ fromWithdraw: true }) },
    ],
    ['selects the only method if its details are saved', { methods: [READY] }, { kind: 'form', chosen: 1 }],
    [
      'asks for the details of the only method',
      { methods: [BARE] },
      { kind: 'go', to: '/account/payment-method/2?redirect=withdraw' },
    ],
    [
      'asks for the details of the only method when the address names another',
      { methods: [BARE], wanted: 9 },
      { kind: 'go', to: methodPath(2, { fromWithdraw: true }) },
    ],
    ['preselects the only method with saved details', { methods: [BARE, OTHER] }, { kind: 'form', chosen: 3 }],
    [
      'preselects no method when none has saved details',
      { methods: [BARE, { ...OTHER, isReady: false }] },
      { kind: 'form', chosen: null },
    ],
    [
      'selects the method named in the address',
      { methods: [READY, BARE, OTHER], wanted: 3 },
      { kind: 'form', chosen: 3 },
    ],
    [
      'asks for the details of the method named in the address',
      { methods: [READY, BARE], wanted: 2 },
      { kind: 'go', to: methodPath(2, { fromWithdraw: true }) },
    ],
    [
      'preselects a method with details when the address names an unknown one',
      { methods: [READY, BARE], wanted: 9 },
      { kind: 'form', chosen: 1 },
    ],
    ['shows the form without a method when none is offered', { methods: [] }, { kind: 'form', chosen: null }],
  ])('SC41: %s', (_, facts, expected) => {
    expect(withdrawStep({ hasPin: true, methods: [], wanted: null, ...facts })).toEqual(expected)
  })
})

describe('the redirect flag', () => {
  it.each([
    ['?redirect=withdraw', true],
    ['redirect=withdraw', true],
    ['?a=b&redirect=withdraw', true],
    ['', false],
    ['?redirect=withdraws', false],
    ['?redirect=https://elsewhere', false],
  ])('the query %j says that the user comes from the withdrawal: %s', (query, expected) => {
    expect(isFromWithdraw(query)).toBe(expected)
    expect(afterPin(query)).toBe(expected ? '/withdraw' : '/wallet')
    expect(afterDetails(7, query)).toBe(expected ? '/withdraw?method=7' : '/account/withdrawal-methods')
  })

  it.each([
    ['?method=7', 7],
    ['?a=b&method=12&c', 12],
    ['', null],
    ['?method=', null],
    ['?method=x', null],
    ['?method=7x', null],
    ['?method=12345678901', null],
  ])('wantedMethod reads the method in %j as %s', (query, expected) => {
    expect(wantedMethod(query)).toBe(expected)
  })
})

test('a user who follows each requested step always reaches the form', () => {
  const anyMethods = fc.uniqueArray(fc.record({ id: fc.nat({ max: 5 }), isReady: fc.boolean() }), {
    maxLength: 4,
    selector: ({ id }) => id,
  })
  const found = fc.check(
    fc.property(anyMethods, fc.boolean(), fc.option(fc.nat({ max: 6 })), (given, pin, wanted) => {
      let facts: WithdrawFacts = { hasPin: pin, methods: given, wanted }
      for (let steps = 0; steps < 4; steps += 1) {
        const step = withdrawStep(facts)
        if (step.kind === 'form') return true
        const [path = '', query = ''] = step.to.split('?')
        if (path === '/account/withdraw-pin') {
          facts = { ...facts, hasPin: true, wanted: wantedMethod(afterPin(query).split('?')[1] ?? '') }
          continue
        }
        const id = Number(path.split('/').at(-1))
        const methods = facts.methods.map((method) => (method.id === id ? { ...method, isReady: true } : method))
        facts = { ...facts, methods, wanted: wantedMethod(afterDetails(id, query).split('?')[1] ?? '') }
      }
      return false
    }),
  )
  expect(found.counterexample).toBeNull()
})
