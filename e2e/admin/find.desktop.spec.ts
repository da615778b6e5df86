import { expect, test } from '../fixtures.ts'
import { openAsStaff } from '../staff.ts'
import { takePicture } from '../take-picture.ts'
import { createUser } from '../users.ts'

test('staff find a user and a page by keyboard alone', async ({ browser, site }) => {
  const { username } = await createUser(site)
  const owner = await openAsStaff(browser, site, 'owner', '/dashboard')
  const { page } = owner
  const box = page.getByRole('combobox', { name: /^Name, mail/ })
  await page.getByRole('button', { name: /^Find/ }).click()
  await expect(box).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(box).toBeHidden()
  await page.keyboard.press('Control+k')
  await expect(box).toBeFocused()
  await box.fill(username.slice(1))
  await expect(page.getByRole('option', { name: username })).toHaveAttribute('aria-selected', 'true')
  await takePicture(page, 'admin/find')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/admin\/users\/[0-9a-f-]+$/)
  await expect(page.getByRole('heading', { name: username })).toBeVisible()

  await page.keyboard.press('Control+k')
  await box.fill('gateways')
  await expect(page.getByRole('option', { name: 'Gateways and methods' })).toBeVisible()
  await box.fill('nothing of this name')
  await expect(page.getByRole('status').getByText('Nothing found.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(box).toBeHidden()
  await expect(page).toHaveURL(/\/admin\/users\//)
  expect(owner.problems).toEqual([])
  await owner.close()
})
