import { instant } from '#core/time/instant.ts'
import { codeAt } from '#server/platform/credentials/totp.ts'
import { expect, test } from '../fixtures.ts'
import { createUser, openAs } from '../users.ts'

// Browsers report every refusal in the console.
test.use({ allowedProblems: [/status of 422/] })

test('AC1: a user turns a second step on, and the next log-in requires it', async ({ page, site }) => {
  const user = await createUser(site)
  await openAs(page, user, site, '/account')
  await page.getByRole('link', { name: 'Security' }).click()
  await page.getByRole('button', { name: 'Set up' }).click()
  const sheet = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await sheet.getByRole('textbox', { name: 'Current password' }).fill(user.password)
  await sheet.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('img', { name: 'QR code to scan' })).toBeVisible()
  const secret = await page.locator('form .mono').innerText()
  await page.getByLabel('Six-digit code').fill(codeAt(secret, instant(Date.now())))
  await page.getByRole('button', { name: 'Turn on' }).click()
  const codes = page.locator('ul[dir=ltr] li')
  await expect(codes).toHaveCount(10)
  const recovery = await codes.first().innerText()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(codes).toHaveCount(0)

  await page.goto(`${site}/account`)
  await page.getByRole('button', { name: 'Log out' }).last().click()
  await page.goto(`${site}/login`)
  await page.getByLabel('Username').fill(user.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(user.password)
  await page.getByRole('button', { name: 'Log in', exact: true }).last().click()
  const code = page.getByLabel('Code from your app, or a recovery code')
  await expect(code).toBeFocused()
  await code.fill('000000')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('alert').first()).toContainText('The code is wrong')
  await code.fill(recovery)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(/\/(market|account)/)
})
