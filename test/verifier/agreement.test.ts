import { describe, expect, it } from 'vitest'
import { arePlansFixed, runs } from '#test/support/random-plans.ts'
import { between } from './chance.ts'
import { askOwnChecker } from './own-checker.ts'
import { randomTerms } from './published-texts.ts'
import { type RandomOrder, randomOrder } from './random-order.ts'
import { askVerifier } from './run-verifier.ts'
import { checkFilesOf, laterLog } from './signed-orders.ts'

const ORDERS = runs(1_200)
/** The kinds of orders that the random plans with the fixed seed produce. */
const KINDS = [
  '1 none price',
  '1 none price without next',
  '1 none no_tick_before_expiry',
  '1 none no_price_after_expiry without next',
  '2 none price',
  '2 computed price',
  '2 computed price late',
  '2 ids price',
  '2 ids price late',
  '2 ids price without next',
  '2 ids price late without next',
  '2 ids no_trade_before_expiry',
  '2 ids history_unavailable without next',
  '2 ids history_contradicts without next',
]

/** Builds random orders in groups whose orders share trade terms and a signature. */
function randomGroups(): RandomOrder[][] {
  const groups: RandomOrder[][] = []
  for (let count = 0; count < ORDERS; ) {
    const terms = randomTerms()
    const found = Array.from({ length: between(1, 9) }, () => randomOrder(terms)).filter((order) => order !== null)
    if (found.length > 0) groups.push(found)
    count += found.length
  }
  return groups
}

/**
 * Names the kind of an order: its rule version, the evidence class of its source, why it was void, and whether its
 * evidence is late or has no next tick.
 */
function kindOf({ result: { v, evidence, void: reason, late, next } }: RandomOrder): string {
  return [v, evidence ?? 'none', reason ?? 'price', late === true ? 'late' : '', next === null ? 'without next' : '']
    .filter((word) => word !== '')
    .join(' ')
}

describe('random orders of both rules', () => {
  it('random orders of both rules pass the independent verifier and our own checkers', () => {
    const orders = randomGroups()
    const files = orders.flatMap((group) => checkFilesOf(group))
    const laters = orders.flat().map(laterLog)
    const own = files.map((file, at) => askOwnChecker(file, laters[at]))
    const others = askVerifier(
      files.map((file, at) => {
        const later = file.result === null || laters[at]?.length === 0 ? [] : [file.keys, laters[at]]
        return { check: 'order' as const, files: [file, ...later] }
      }),
    )
    const different = files.flatMap((file, at) => {
      const [one, other, order] = [own[at], others[at], orders.flat()[at]]
      const result = file.result === null ? 'true' : order?.result.result
      const isTrue = one?.code === 0 && other?.code === 0 && other.verdict === result
      return isTrue || order === undefined ? [] : [{ kind: kindOf(order), faults: one?.faults, other }]
    })
    expect(different).toEqual([])
    expect(files.length).toBeGreaterThanOrEqual(ORDERS)
    if (!arePlansFixed()) return
    const kinds = new Set(orders.flat().map(kindOf))
    for (const kind of KINDS) expect(kinds).toContain(kind)
  })
})
