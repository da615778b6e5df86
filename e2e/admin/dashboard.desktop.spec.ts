import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { DepositPage, PICTURE } from '../pages/deposit-page.ts'
import { openAsStaff } from '../staff.ts'
import { createUser, openAs } from '../users.ts'

test('open back-office pages update by themselves, and show the log-in when their staff member is blocked', async ({
  page,
  browser,
  startServer,
}) => {
  const { address } = await startServer()
  const user = await createUser(address, { funds: 1000 })
  const watching = await openAsStaff(browser, address, 'finance', '/dashboard')
  const queue = await openAsStaff(browser, address, 'finance2', '/deposits')
  const dashboard = watching.page
  const figure = (name: string) => dashboard.locator('dl > div').filter({ hasText: name })
  await expect(dashboard.getByText('Live', { exact: true })).toBeVisible()
  await expect(queue.page.getByText('Live', { exact: true })).toBeVisible()
  await expect(figure('At stake')).toContainText('0 open orders')
  await expect(figure('Deposits waiting')).toContainText('none waiting')
  await expect(queue.page.getByText('No deposits are waiting.')).toBeVisible()
  await mark(dashboard)
  await mark(queue.page)

  await openAs(page, user, address, '/deposit')
  const deposit = new DepositPage(page)
  await deposit.fillInTransfer('100', PICTURE)
  await deposit.submit()
  await expect(queue.page.getByRole('row', { name: user.username })).toBeVisible()
  await expect(figure('Deposits waiting')).toContainText('$108.00 in total')

  await page.goto(`${address}/trade/BTC`)
  const ticket = page.getByRole('region', { name: 'New order' })
  await ticket.getByRole('button', { name: 'Buy', exact: true }).click()
  await ticket.getByLabel('Stake').fill('50')
  await ticket.getByLabel('Stake').press('Enter')
  await expect(figure('At stake')).toContainText('1 open order')
  await expect(figure('At stake')).toContainText('$50.00')
  await expect(dashboard.getByRole('rowheader', { name: 'BTC' }).first()).toBeVisible()
  expect([await isMarked(dashboard), await isMarked(queue.page)], 'no page was reloaded').toEqual([true, true])

  const owner = await openAsStaff(browser, address, 'owner', '/dashboard')
  await blockPerson(owner.page, 'finance2')
  await expect(queue.page.getByRole('heading', { name: 'Log in' })).toBeVisible()
  expect(await isMarked(queue.page)).toBe(true)
  await expect(dashboard.getByText('Live', { exact: true })).toBeVisible()
  expect([...watching.problems, ...owner.problems]).toEqual([])
  // The server refused a call and a socket of the blocked staff member, which led to the log-in page. Browsers report
  // both.
  expect(queue.problems.filter((problem) => !/401|WebSocket/.test(problem))).toEqual([])
  for (const person of [watching, queue, owner]) await person.close()
})

/** Marks the page with a value that a reload would lose. */
async function mark(page: Page): Promise<void> {
  await page.evaluate(() => document.documentElement.setAttribute('data-seen', 'yes'))
}

async function isMarked(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.getAttribute('data-seen') === 'yes')
}

async function blockPerson(page: Page, name: string): Promise<void> {
  const status = await page.evaluate(async (wanted) => {
    const list = await fetch('/api/admin/staff')
    const { data } = (await list.json()) as {
      data: { rows: { id: string; name: string; role: string; version: number }[] }
    }
    const person = data.rows.find((row) => row.name === wanted)
    const answer = await fetch(`/api/admin/staff/${person?.id}/change`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ version: person?.version, role: person?.role, is_blocked: true, reason: 'left' }),
    })
    return answer.status
  }, name)
  expect(status).toBe(200)
}
