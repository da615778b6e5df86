import { demoKeyOf } from '#test/support/server-process.ts'
import { expect, test } from '../fixtures.ts'
import { joinAsNewcomer } from '../pages/newcomer.ts'

const NEXT_PASSWORD = 'fresh-words-2'

// The server refuses wrong codes and passwords with 422, which browsers report.
test.use({ allowedProblems: [/422/] })

test('RT7, SC23, SC24, VA7, VA8: a password reset with a code logs out every device', async ({
  page,
  browser,
  startServer,
}) => {
  const { address } = await startServer()
  // The same account, logged in on another device.
  const elsewhere = await browser.newPage()
  const owner = await joinAsNewcomer(elsewhere, address, { mobile: '15112345678' })

  await page.goto(`${address}/?key=${demoKeyOf(address)}`)
  await page.getByRole('link', { name: 'Log in' }).first().click()
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText('Email or phone number is Required')).toBeVisible()
  await page.getByLabel('Email or phone number').fill('+49 151 12345678')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText('If an account uses +49 151 12345678')).toBeVisible()

  // A wrong code shows an error beside its field; the right one is in the outbox.
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('The code is wrong or has expired').first()).toBeVisible()
  await page.getByRole('link', { name: 'Open the outbox' }).click()
  const letter = page.getByText(/set a new Fairwick password/).first()
  const code = /\b\d{6}\b/.exec(await letter.innerText())?.[0] ?? ''
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()

  await expect(page).toHaveURL(new RegExp(`/reset-password\\?code=${code}$`))
  await expect(page.getByLabel('Email or phone number')).toHaveValue('+49 151 12345678')
  await expect(page.getByText(`New password for ${owner.username}`)).toBeVisible()
  await expect(page.getByText('This change pauses withdrawals for 24 h.')).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill(NEXT_PASSWORD)
  await page.getByLabel('Confirm new password').fill('something else')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('Passwords does not match')).toBeVisible()
  await page.getByLabel('Confirm new password').fill(NEXT_PASSWORD)
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page).toHaveURL(`${address}/`)
  await expect(page.getByText('Your new password is set')).toBeVisible()

  // The other device is logged out with its next request.
  await elsewhere.getByRole('link', { name: 'Wallet' }).first().click()
  await expect(elsewhere).toHaveURL(/\/(?:login)?$/)
  await elsewhere.close()

  await page.getByRole('link', { name: 'Log in' }).first().click()
  await page.getByLabel('Username').fill(owner.username)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('Username or password is wrong')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(NEXT_PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/\/market$/)
  // Close the page before the server stops, so that the page does not try to reconnect.
  await page.close()
})

test('RT8, NV8: the page for a new password needs a code, and a link with a code is not redirected', async ({
  page,
  site: address,
}) => {
  await page.goto(`${address}/reset-password?code=123456`)
  await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible()
  await page.goto(`${address}/reset-password`)
  await expect(page).toHaveURL(`${address}/`)
})
