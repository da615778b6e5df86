import { describe, expect, it } from 'vitest'
import { runs } from '#test/support/random-plans.ts'
import { LIES } from '#test/verifier/forged-orders.ts'
import { askOwnChecker } from '#test/verifier/own-checker.ts'
import { randomTerms } from '#test/verifier/published-texts.ts'
import { randomOrder } from '#test/verifier/random-order.ts'
import { checkFilesOf, signedFile } from '#test/verifier/signed-orders.ts'
import { runDocumentedProgram } from '#test/verifier/documented-program.ts'

const ORDERS = runs(120)
/** Each kind of forgery is tried on at most this many orders. */
const TIMES = runs(3)
/** Up to 9 honest orders are under one signature, because checking signatures takes most of the program's time. */
const GROUP = 9

const orders = Array.from({ length: ORDERS }, (_, at) => randomOrder(randomTerms(), 20 * (at % 3))).filter(
  (order) => order !== null,
)

describe('the documented program', () => {
  it("agrees with the project's own checkers on random orders of both rules, and on why a false receipt fails", () => {
    const lies = Object.values(LIES).flatMap((lie) =>
      orders
        .map(lie)
        .filter((order) => order !== null)
        .slice(0, TIMES),
    )
    const groups = Array.from({ length: Math.ceil(orders.length / GROUP) }, (_, at) =>
      orders.slice(at * GROUP, (at + 1) * GROUP),
    )
    const files = [...groups.flatMap(checkFilesOf), ...lies.map((order) => signedFile(order, orders))]
    const printed = runDocumentedProgram(
      'receipts',
      files.map((file) => ({ file: JSON.stringify(file) })),
    )
    const different = files.flatMap((file, at) => {
      const { faults } = askOwnChecker(file)
      const text = printed[at]?.text ?? ''
      const isSame =
        faults.length === 0 ? text.startsWith('matches ') : faults.some((fault) => text === `does not match: ${fault}`)
      return isSame ? [] : [{ faults, text }]
    })
    expect(different).toEqual([])
  })
})
