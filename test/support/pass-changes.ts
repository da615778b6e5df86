import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { assert } from '#core/result.ts'
import type { App } from '#server/app/create-app.ts'
import type { TestDatabase } from '#test/support/database.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import type { TestContext } from '#test/support/test-context.ts'

/** Agrees to all requested changes as a staff member, and lets time elapse until they are in force. */
export async function passChanges(
  app: Pick<App, 'applyChanges'> & { readonly ctx: TestContext },
  { db }: Pick<TestDatabase, 'db'>,
  second: StaffSession,
): Promise<void> {
  const { body } = await second.call(staffCalls.staffChanges, { query: { state: 'open' } })
  for (const { id, state, content_hash: hash } of body.data.rows) {
    if (state !== 'asked') continue
    const agreed = await second.call(staffCalls.staffSecondChange, { params: { id }, body: { content_hash: hash } })
    assert(agreed.status === 200, `the change is agreed: ${JSON.stringify(agreed.body)}`)
  }
  const { last } = await db
    .selectFrom('pending_change')
    .select((of) => of.fn.max('applies_ms').as('last'))
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  if (last !== null) app.ctx.clock.jump(Math.max(0, Number(last) - app.ctx.now()))
  await app.applyChanges()
}
