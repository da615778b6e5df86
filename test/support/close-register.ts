import { assert } from '#core/result.ts'
import { closeMinute } from '#server/register/close-minute.ts'
import type { TestApp } from '#test/support/test-app.ts'

/** Adds what is new to the register now, instead of at the end of the minute. */
export async function closeRegister({ register }: Pick<TestApp, 'register'>): ReturnType<typeof closeMinute> {
  assert(register, 'a server that settles')
  return await closeMinute(register)
}
