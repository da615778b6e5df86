import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { DEMO_STAFF } from '#server/seed/demo-staff.ts'
import { demoKeyOf } from '#test/support/server-process.ts'
import { watchForProblems } from './fixtures.ts'

/** Somebody of the demo's staff: `owner`, `finance`, `finance2`, `support`, `markets` or `content`. */
export type StaffName = 'owner' | 'finance' | 'finance2' | 'support' | 'markets' | 'content'

export interface StaffPage {
  readonly page: Page
  /** What the browser complained of so far; the journey ends with none. */
  readonly problems: readonly string[]
  close(): Promise<void>
}

/** Opens a page of the back office in a browser of its own, signed in through the calls. */
export async function openAsStaff(
  browser: Browser,
  address: string,
  name: StaffName,
  path: string,
  viewport = { width: 1440, height: 900 },
): Promise<StaffPage> {
  const context = await browser.newContext({ viewport, locale: 'en-US' })
  await signInAsStaff(context, address, name)
  const page = await context.newPage()
  const problems = watchForProblems(page)
  await page.goto(`${address}/admin${path}`)
  return { page, problems, close: () => context.close() }
}

/** Signs in through the calls; the context's requests are then those of that person. */
export async function signInAsStaff(context: BrowserContext, address: string, name: StaffName): Promise<void> {
  await context.request.get(`${address}/admin?key=${demoKeyOf(address)}`)
  const first = await context.request.post(`${address}/api/admin/sign-in`, {
    data: { name, password: DEMO_STAFF.password },
  })
  const { data } = (await first.json()) as { data: { ticket: string; demo_code: string } }
  const second = await context.request.post(`${address}/api/admin/sign-in/code`, {
    data: { ticket: data.ticket, code: data.demo_code },
  })
  expect(second.ok(), await second.text()).toBe(true)
}
