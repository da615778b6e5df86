import type { z } from 'zod'
import { calls } from '#contract/calls.ts'
import { assert } from '#core/result.ts'
import type { TestApp, TestUser } from '#test/support/test-app.ts'

export type WantedKey = Partial<z.input<typeof calls.makeKey.body>>

/** Creates an API key of a user. By default the key can only read, from any address. */
export async function makeTestKey(
  app: Pick<TestApp, 'call' | 'confirm'>,
  owner: TestUser,
  wanted: WantedKey = {},
): Promise<{ readonly id: string; readonly secret: string }> {
  await app.confirm(owner.token)
  const reply = await app.call(calls.makeKey, { token: owner.token, body: { name: 'bot', scope: 'read', ...wanted } })
  assert(reply.status === 200, `the key is made: ${reply.body.message ?? ''}`)
  return reply.body.data
}
