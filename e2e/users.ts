import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { get, post } from '#test/support/app-client.ts'
import { demoKeyOf } from '#test/support/server-process.ts'

/** An account created through the API, for tests that are not about signing up. */
export interface TestUser {
  readonly username: string
  readonly password: string
  readonly email: string
  /** The session as the app stores it in local storage. */
  readonly session: { readonly token: string; readonly user: { readonly ev: boolean; readonly balance: number } }
}

interface Wanted {
  /** The amount deposited through the automatic gateway. */
  funds?: number
  verified?: boolean
}

/** Returns a name that no other test has. */
export function freshName(): string {
  return `t_${randomBytes(6).toString('hex')}`
}

export async function createUser(address: string, { funds = 0, verified = true }: Wanted = {}): Promise<TestUser> {
  const username = freshName()
  const password = 'plain-words'
  const email = `${username}@example.com`
  const details = { username, password, password_confirmation: password, mobile: '15112345678', country_code: 'DE' }
  const session = (await post(address, '/user/auth/register', {
    ...details,
    email,
    agree: true,
  })) as TestUser['session']
  if (!verified) return { username, password, email, session }

  await post(address, '/user/email-verify/verify', { code: await newestCode(address, email) }, session.token)
  // The verification of the account ends earlier sessions, so the user logs in again.
  const verifiedSession = (await post(address, '/user/auth/login', { username, password })) as TestUser['session']
  if (funds === 0) return { username, password, email, session: verifiedSession }
  const { token } = verifiedSession
  await payIn(address, token, funds)
  return { username, password, email, session: await withNewestUser(address, token) }
}

/**
 * Returns the session with the newest data of its user, as the app would store it. Reading the profile is faster than
 * another log-in.
 */
export async function withNewestUser(address: string, token: string): Promise<TestUser['session']> {
  const { user } = (await get(address, '/user/profile', token)) as Pick<TestUser['session'], 'user'>
  return { token, user }
}

async function payIn(address: string, token: string, amount: number): Promise<void> {
  const body = new FormData()
  body.set('method_id', '1')
  body.set('amount', String(amount))
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${address}/api/user/deposits/save`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`the deposit failed: ${answer.status} ${await answer.text()}`)
}

/** Returns the newest code in the outbox for an address. */
export async function newestCode(address: string, to: string): Promise<string> {
  const { messages } = (await get(address, `/outbox?to=${encodeURIComponent(to)}`)) as { messages: { code: string }[] }
  // The outbox also has messages without a code, whose `code` is empty.
  const code = messages.find((message) => message.code !== '')?.code
  if (code === undefined) throw new Error(`the outbox has no message to ${to}`)
  return code
}

/** Opens a path as this user, as if they had logged in here before. */
export async function openAs(page: Page, user: TestUser, address: string, path = '/market'): Promise<void> {
  await page.addInitScript((session) => {
    // Runs only once, so that a later log-out is not undone.
    if (localStorage.getItem('session_brought') !== null) return
    localStorage.setItem('session_brought', '1')
    localStorage.setItem('session', JSON.stringify(session))
    sessionStorage.setItem('visited', '1')
  }, user.session)
  await bringDemoKey(page, address)
  await page.goto(`${address}${path}`)
}

/**
 * Opens a path as a visitor in a session that has already begun. Opening home first would not be enough, because a page
 * counts as loaded before the app renders. Until the app has rendered, every path is the first of its session and
 * redirects home.
 */
export async function openAsVisitor(page: Page, address: string, path: string): Promise<void> {
  await page.addInitScript(() => sessionStorage.setItem('visited', '1'))
  await bringDemoKey(page, address)
  await page.goto(`${address}${path}`)
}

/** Gives this browser the key from the address that the server printed at its start. */
export async function bringDemoKey(page: Page, address: string): Promise<void> {
  const key = demoKeyOf(address)
  if (key !== '') await page.context().request.get(`${address}/?key=${key}`)
}

/** Navigates within the open app like a link, which is ten times faster than a page load. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

/** Returns the token of the user who is logged in on the page. */
export function storedToken(page: Page): Promise<string> {
  return page.evaluate(() => (JSON.parse(localStorage.getItem('session') ?? '{}') as { token: string }).token)
}
