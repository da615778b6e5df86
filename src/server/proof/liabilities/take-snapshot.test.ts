import { expect, it } from 'vitest'
import { findFaults } from '#core/proof/own-proof.ts'
import { money } from '#core/money/money.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { findOwnProof } from '#server/proof/liabilities/own-proof.ts'
import { takeSnapshot } from '#server/proof/liabilities/take-snapshot.ts'
import { createFundedUser } from '#test/support/market-fixtures.ts'
import { createTestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()

it('LI4: two servers that create the proof of a day at the same time publish one proof, which holds', async () => {
  const ctx = createTestContext(database.db)
  const userId = await createFundedUser(ctx, money(700n))
  let first: Awaited<ReturnType<typeof takeSnapshot>> | null = null
  // The second server pauses after it read the liabilities, until the first server has published the day.
  const db = new Proxy(ctx.db, {
    get(target, name) {
      if (name !== 'transaction') {
        const part: unknown = Reflect.get(target, name)
        return typeof part === 'function' ? (part.bind(target) as unknown) : part
      }
      if (first !== null) return () => target.transaction()
      return () => ({
        setIsolationLevel: (level: 'repeatable read') => ({
          execute: async (read: Parameters<ReturnType<typeof target.transaction>['execute']>[0]) => {
            const owed = await target.transaction().setIsolationLevel(level).execute(read)
            first = await takeSnapshot(ctx)
            return owed
          },
        }),
      })
    },
  })
  const second = await takeSnapshot({ ...ctx, db })
  expect(first).toMatchObject({ kind: 'taken' })
  const proof = await findOwnProof(ctx.db, userId)
  if (proof === null) throw new Error('the proof is gone')
  const published = second.kind === 'ledger-unsound' ? [] : [second.record]
  expect(findFaults(sha256, proof, { accountId: userId, published })).toEqual([])
  expect(second.kind).toBe('there')
})
