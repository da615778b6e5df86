import sharp from 'sharp'
import { choose } from '../choose.ts'
import { expect, test } from '../fixtures.ts'
import { confirm } from '../pages/confirmation.ts'
import { logIn } from '../pages/newcomer.ts'
import { createUser, freshName, openAs } from '../users.ts'

// Browsers report every refusal in the console.
test.use({ allowedProblems: [/status of 422/] })

test('a newcomer fills in the profile and finds it saved', async ({ page, site }) => {
  const user = await createUser(site)
  await openAs(page, user, site, '/account')
  await expect(page.getByText('Profile incomplete')).toBeVisible()
  await page.getByRole('link', { name: 'Edit profile', exact: true }).click()

  await test.step('the profile shows each error beside its field and keeps the typed values', async () => {
    await page.getByLabel('Username').fill('DEMO')
    await page.getByLabel('Phone number').fill('12')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Please enter a valid phone number')).toBeVisible()
    await page.getByLabel('Phone number').fill('62-8123456789')
    await page.getByRole('button', { name: 'Save' }).click()
    await confirm(page, user.password)
    await expect(page.getByRole('alert').getByText('This username is taken')).toBeVisible()
    await expect(page.getByLabel('Username')).toHaveValue('DEMO')
    await expect(page.getByLabel('Username')).toBeFocused()
  })

  const username = freshName()
  const details = {
    'First name': 'Ada',
    'Last name': 'Lovelace',
    Username: username,
    City: 'Jakarta',
    State: 'DKI',
    'Zip code': '10110',
    Address: '12 Long Street',
  }
  for (const [label, text] of Object.entries(details)) await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByLabel('Country').selectOption('ID')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Updated Successfully')).toBeVisible()

  await page.reload()
  for (const [label, text] of Object.entries(details))
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(text)
  await expect(page.getByLabel('Country')).toHaveValue('ID')
  await expect(page.getByLabel('Phone number')).toHaveValue('8123456789')

  await page.goto(`${site}/account`)
  await expect(page.getByText(username)).toBeVisible()
  await expect(page.getByText('Ada Lovelace')).toBeVisible()
  await expect(page.getByText('Profile complete', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Profile', exact: true }).click()
  await expect(page.getByText('Transaction fee tier: Level 1')).toBeVisible()
  await expect(page.getByText(/^[0-9A-Z]{10}$/)).toBeVisible()
})

test('a user logs in with the changed password', async ({ page, site }) => {
  const user = await createUser(site)
  await openAs(page, user, site, '/account/password')
  const change = async (current: string, next: string, again = next) => {
    await page.getByLabel('Current password', { exact: true }).fill(current)
    await page.getByLabel('New password', { exact: true }).fill(next)
    await page.getByLabel('Confirm new password', { exact: true }).fill(again)
    await page.getByRole('button', { name: 'Change password' }).click()
  }
  await change(user.password, 'short', 'other')
  await expect(page.getByText('Password letters must be between 6 and 20 letters')).toBeVisible()
  await expect(page.getByText('Passwords does not match')).toBeVisible()
  await change('not-it-1', 'brand-new-77')
  await expect(page.getByRole('alert').getByText('The current password is wrong')).toBeVisible()
  await change(user.password, 'brand-new-77')
  await expect(page.getByText('Updated Successfully')).toBeVisible()

  await page.reload()
  await page.goto(`${site}/account`)
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('link', { name: 'Log in' }).first().click()
  await page.getByLabel('Username').fill(user.username)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('Username or password is wrong')).toBeVisible()
  await logIn(page, { username: user.username, password: 'brand-new-77' })
})

test('RT9, SC25, VA9, TX10, ET11: a picture is chosen, cropped, saved, kept after a reload and removed', async ({
  page,
  site,
}) => {
  await openAs(page, await createUser(site), site, '/profile/picture')
  const avatar = page.getByRole('main').locator('img')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Photo is Required')).toBeVisible()
  await expect(avatar).toHaveCount(0)

  await page
    .getByLabel('Choose a photo')
    .setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no') })
  await expect(page.getByText('This photo cannot be opened')).toBeVisible()
  await page
    .getByLabel('Choose a photo')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: await photo() })
  const cropper = page.getByRole('img', { name: 'Part of the photo to use' })
  await cropper.focus()
  await page.keyboard.press('+')
  await page.keyboard.press('+')
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('slider', { name: 'Zoom' })).toHaveValue('1.2')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Photo uploaded successfully')).toBeVisible()

  await page.reload()
  await expect(avatar).toHaveAttribute('src', /^\/images\/users\/[0-9a-f]{32}\.webp$/)
  await expect(avatar).toHaveJSProperty('naturalWidth', 512)
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(page.getByText('Your picture was removed')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Your current picture')).toBeVisible()
  await expect(avatar).toHaveCount(0)
})

test('options take effect immediately and survive a reload, as do theme, language and session', async ({
  page,
  site,
}) => {
  await openAs(page, await createUser(site), site, '/profile/options')
  const html = page.locator('html')

  await page.getByLabel('Display currency').selectOption('JPY')
  await choose(page.getByRole('radio', { name: 'Red up, green down' }))
  await expect(html).toHaveAttribute('data-updown', 'reverse')
  await choose(page.getByRole('radio', { name: '00:00 UTC' }))
  await choose(page.getByRole('radio', { name: 'Amount of money' }))
  await choose(page.getByRole('radio', { name: 'Dark' }))
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('switch', { name: 'Haptic feedback' }).click()

  await page.reload()
  await expect(html).toHaveAttribute('data-updown', 'reverse')
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByLabel('Display currency')).toHaveValue('JPY')
  for (const name of ['Red up, green down', '00:00 UTC', 'Amount of money', 'Dark'])
    await expect(page.getByRole('radio', { name })).toBeChecked()
  await expect(page.getByRole('switch', { name: 'Haptic feedback' })).toBeChecked()

  await page.goto(`${site}/wallet`)
  await expect(page.getByText(/^≈ ¥[\d,]+/)).toBeVisible()
  await page.goto(`${site}/trade/BTC`)
  await expect(page.getByText('24H amount')).toBeVisible()

  await page.goto(`${site}/languages`)
  await page.getByRole('button', { name: 'Italiano' }).click()
  await expect(html).toHaveAttribute('lang', 'it')
  await page.goto(`${site}/profile/options`)
  await expect(html).toHaveAttribute('lang', 'it')
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByLabel('Valuta visualizzata')).toHaveValue('JPY')
})

function photo(): Promise<Buffer> {
  return sharp({ create: { width: 900, height: 600, channels: 3, background: '#3a7' } })
    .png()
    .toBuffer()
}
