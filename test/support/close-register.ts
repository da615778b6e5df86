import { assert } from '#core/result.ts'
import type { App } from '#server/app/create-app.ts'
import { errorCode } from '#server/platform/runtime/startup-error.ts'
import { closeMinute } from '#server/register/close-minute.ts'

/** PostgreSQL's code of the error that a row with this key exists already. */
const DUPLICATE = '23505'

/** Adds new entries to the register now, instead of at the end of the minute. */
export async function closeRegister({ register }: Pick<App, 'register'>): ReturnType<typeof closeMinute> {
  assert(register, 'the server adds to the register')
  for (;;) {
    try {
      return await closeMinute(register)
    } catch (error) {
      // The server's own job closed the same minute. One of the two attempts fails and changes nothing.
      if (errorCode(error) !== DUPLICATE) throw error
    }
  }
}
