import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import type { Role } from '#core/staff/permissions.ts'
import { DEMO_STAFF } from '#server/seed/demo-staff.ts'
import { demoKeyOf } from '#test/support/server-process.ts'
import { watchForProblems } from './fixtures.ts'

/** A staff member of the demo: one per role, and a second approver. */
export type StaffName = Role | 'finance2'

export interface StaffPage {
  readonly page: Page
  /** The errors that the browser has reported so far. A journey must end without errors. */
  readonly problems: readonly string[]
  close(): Promise<void>
}

/** Opens a page of the back office in a separate browser context that is logged in through the API. */
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

/**
 * Logs in through the API, so that later requests of the context are made as this staff member. A log-in by another
 * test may end this one while it waits for its code. This function then begins again.
 */
export async function signInAsStaff(context: BrowserContext, address: string, name: StaffName): Promise<void> {
  await context.request.get(`${address}/admin?key=${demoKeyOf(address)}`)
  for (;;) {
    const first = await context.request.post(`${address}/api/admin/sign-in`, {
      data: { name, password: DEMO_STAFF.password },
    })
    const { data } = (await first.json()) as { data: { ticket: string; demo_code: string } }
    const second = await context.request.post(`${address}/api/admin/sign-in/code`, {
      data: { ticket: data.ticket, code: data.demo_code },
    })
    const text = await second.text()
    if (text.includes('"staff_ticket_over"')) continue
    expect(second.ok(), text).toBe(true)
    return
  }
}

/** Searches a list and opens its only row. A press before the list has changed could miss the row. */
export async function openFoundRow(office: Page, text: string): Promise<void> {
  await office.getByRole('searchbox').fill(text)
  await expect(office).toHaveURL(/search=/)
  await expect(office.getByText('1 row', { exact: true })).toBeVisible()
  await office.getByRole('row', { name: text.toLowerCase() }).click()
}
