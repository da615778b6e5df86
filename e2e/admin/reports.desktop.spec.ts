import { readFileSync } from 'node:fs'
import { expect, test } from '../fixtures.ts'
import { openAsStaff } from '../staff.ts'
import { takePicture } from '../take-picture.ts'
import { useTheme } from '../theme.ts'
import { createUser } from '../users.ts'

test('OD13.1: finance read a report that equals the ledger, break it down, and export it', async ({
  browser,
  startServer,
}) => {
  const server = await startServer()
  await createUser(server.address, { funds: 500 })
  const staff = await openAsStaff(browser, server.address, 'finance', '/dashboard')
  const { page } = staff
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Reports' }).click()
  // The first start counts older transfers before it shows figures.
  await expect(async () => {
    await page.reload()
    await expect(page.getByText('Difference to the ledger')).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(page.locator('[data-difference="none"]')).toContainText('$0.00')
  // The demo user has 10,000.00 from the first start on.
  const figures = page.getByRole('table', { name: 'Figures' })
  await expect(figures.getByRole('row', { name: /Money in/ })).toContainText('$10,500.00')
  await expect(
    page.getByRole('table', { name: 'Positions' }).getByRole('row', { name: /House: deposits/ }),
  ).toContainText('−$10,500.00')
  await expect(page.getByRole('button', { name: 'Close period' })).toHaveCount(0)

  await page.getByRole('tab', { name: 'By country' }).click()
  await expect(page.getByRole('row', { name: /Germany/ })).toContainText('$500.00')
  await expect(page.getByRole('row', { name: /Total/ })).toContainText('$10,500.00')

  await page.getByLabel('Period').selectOption('day')
  await page.getByLabel('Time zone').selectOption('Australia/Eucla')
  await expect(page).toHaveURL(/zone=Australia%2FEucla/)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  const file = await download
  expect(readFileSync(await file.path(), 'utf8')).toContain('DE,DE,people')

  await page.getByRole('tab', { name: 'Summary' }).click()
  for (const [look, viewport] of [
    ['desktop', { width: 1440, height: 900 }],
    ['phone', { width: 390, height: 844 }],
  ] as const) {
    await page.setViewportSize(viewport)
    for (const theme of ['light', 'dark'] as const) {
      await useTheme(page, theme)
      await expect(page.locator('[data-difference="none"]')).toBeVisible()
      await takePicture(page, `reports-${look}-${theme}`)
      await page.getByRole('tab', { name: 'By country' }).click()
      await expect(page.getByRole('row', { name: /Total/ })).toBeVisible()
      await takePicture(page, `reports-by-${look}-${theme}`)
      await page.getByRole('tab', { name: 'Summary' }).click()
    }
  }
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeHidden()
  await expect(page.getByText('Difference to the ledger')).toBeVisible()
  await takePicture(page, 'reports-print')
  expect(staff.problems).toEqual([])
  await staff.close()
})
