import { expect, test } from '../fixtures.ts'
import { openAsStaff } from '../staff.ts'
import { freshName } from '../users.ts'

// The server refuses a missing or unknown code with 422, which browsers report in the console.
test.use({ allowedProblems: [/status of 422/] })

test('staff make access codes, and a visitor opens an account only with one of them', async ({
  browser,
  page,
  startServer,
}) => {
  const server = await startServer()
  await server.admin('settings', 'set', 'invitation_required', 'true')
  const staff = await openAsStaff(browser, server.address, 'owner', '/codes')
  await expect(staff.page.getByText('No access codes.')).toBeVisible()

  await staff.page.getByRole('button', { name: 'Make codes' }).click()
  const pane = staff.page.getByRole('region', { name: 'Make codes' })
  await pane.getByLabel('How many').fill('3')
  await pane.getByLabel('Label').fill('Spring fair')
  const download = staff.page.waitForEvent('download')
  await pane.getByRole('button', { name: 'Make codes' }).click()
  expect((await download).suggestedFilename()).toBe('access-codes.csv')
  await expect(staff.page.getByText('Spring fair')).toHaveCount(3)

  await staff.page.getByRole('button', { name: 'New code' }).click()
  const form = staff.page.getByRole('region', { name: 'New code' })
  await form.getByLabel('Code').fill('swan-7')
  await form.getByLabel('Uses at most').fill('1')
  await form.getByRole('button', { name: 'Save' }).click()
  const row = staff.page.getByRole('row', { name: /SWAN-7/ })
  await expect(row).toContainText('Open')

  await page.goto(server.address)
  await page.getByRole('link', { name: 'Create account' }).first().click()
  const code = page.getByLabel('Access code')
  await expect(code).toBeVisible()
  await page.getByLabel('Username').fill(freshName())
  await page.getByLabel('Country').selectOption('DE')
  await page.getByLabel('Phone number').fill('15112345678')
  await page.getByLabel('Password', { exact: true }).fill('plain-words')
  await page.getByLabel('Confirm password', { exact: true }).fill('plain-words')
  const create = page.getByRole('button', { name: 'Create account' })
  await create.click()
  await expect(page.getByText('Access code is Required')).toBeVisible()
  await code.fill('SWAN-8')
  await create.click()
  await expect(code).toHaveAttribute('aria-invalid', 'true')
  await code.fill('Swan-7')
  await create.click()
  await expect(page.getByText('Registered Successfully!')).toBeVisible()

  await staff.page.reload()
  await expect(row).toContainText('Used up')
  expect(staff.problems).toEqual([])
  await staff.close()
})
