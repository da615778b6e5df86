import { calls } from '#contract/calls.ts'
import { assert } from '#core/result.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { TestCalls } from '#test/support/test-calls.ts'

export interface TestUser {
  readonly id: string
  readonly username: string
  readonly password: string
  readonly token: string
}

export const TEST_PASSWORD = 'hunter-22'

/** Payment details by the id of their method. */
type PaymentDetails = Readonly<Record<number, Record<string, string>>>

export interface TestUsers {
  /** Creates an unverified account. */
  signUp(username?: string): Promise<TestUser>
  signIn(username: string, password: string): Promise<TestUser>
  /** Creates an account, verifies it with its code, and logs in again. */
  verifiedUser(username?: string): Promise<TestUser>
  /** Confirms a session by password, so that it may change the account's security for ten minutes. */
  confirm(token: string): Promise<void>
  /**
   * Confirms the session, sets the first PIN, saves payment details by the id of their method, and ends the withdrawal
   * pause that follows.
   */
  setPin(token: string, pin: string, details?: PaymentDetails): Promise<void>
  /** Saves payment details in a confirmed session, and ends the withdrawal pause that follows. */
  setDetails(token: string, details: PaymentDetails): Promise<void>
  /** Ends every withdrawal pause, so that tests of other features need not advance by a day. */
  endPauses(): Promise<void>
  /** Returns the newest code that was sent to an address. */
  sentCode(to: string): Promise<string>
}

/** Creates users and their sessions through the API. */
export function createTestUsers({ call }: TestCalls, db: Db): TestUsers {
  let users = 0

  const sentCode: TestUsers['sentCode'] = async (to) => {
    const { body } = await call(calls.outbox, { query: { to } })
    const newest = body.data.messages.find(({ code }) => code !== '')
    assert(newest, `a code was sent to ${to}`)
    return newest.code
  }
  const signUp: TestUsers['signUp'] = async (name) => {
    users += 1
    const username = name ?? `user${users}`
    const { body } = await call(calls.register, {
      body: {
        username,
        email: emailOf(username),
        mobile: '5551234567',
        password: TEST_PASSWORD,
        password_confirmation: TEST_PASSWORD,
        agree: true,
      },
    })
    assert(body.data, `signed up: ${body.message ?? ''}`)
    return { id: body.data.user.id, username, password: TEST_PASSWORD, token: body.data.token }
  }
  const signIn: TestUsers['signIn'] = async (username, password) => {
    const { body } = await call(calls.login, { body: { username, password } })
    assert(body.data && 'token' in body.data, `signed in: ${body.message ?? ''}`)
    return { id: body.data.user.id, username, password, token: body.data.token }
  }
  const confirm: TestUsers['confirm'] = async (token) => {
    const { body } = await call(calls.securityConfirm, { token, body: { password: TEST_PASSWORD } })
    assert(body.data, `confirmed: ${body.message ?? ''}`)
  }
  const endPauses: TestUsers['endPauses'] = async () => {
    await db.updateTable('app_user').set({ security_changed_ms: null }).execute()
  }

  const setDetails: TestUsers['setDetails'] = async (token, details) => {
    for (const [method, withdrawal_information] of Object.entries(details)) {
      const saved = { withdraw_method_id: Number(method), withdrawal_information }
      const { status, body } = await call(calls.saveWithdrawMethod, { token, body: saved })
      assert(status === 200, `the payment details are saved: ${body.message ?? ''}`)
    }
    await endPauses()
  }

  return {
    sentCode,
    signUp,
    signIn,
    confirm,
    endPauses,
    async setPin(token, pin, details = {}) {
      await confirm(token)
      const body = { withdrawal_code: pin, withdrawal_code_confirmation: pin }
      const reply = await call(calls.saveWithdrawalPin, { token, body })
      assert(reply.status === 200, `the PIN is set: ${reply.body.message ?? ''}`)
      await setDetails(token, details)
    },
    setDetails,
    async verifiedUser(name) {
      const user = await signUp(name)
      const code = await sentCode(emailOf(user.username))
      await call(calls.verifyCode, { token: user.token, body: { code } })
      return signIn(user.username, user.password)
    },
  }
}

export function emailOf(username: string): string {
  return `${username.toLowerCase()}@example.com`
}
