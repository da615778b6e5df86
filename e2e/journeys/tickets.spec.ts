import { get, post } from '#test/support/app-client.ts'
import { accessibilityFaults } from '../accessibility-faults.ts'
import { findFlaws } from '../find-flaws.ts'
import { expect, test } from '../fixtures.ts'
import { openAsStaff } from '../staff.ts'
import { useTheme } from '../theme.ts'
import { createUser, openAs } from '../users.ts'
import type { Page } from '@playwright/test'

const WORDS = 'I paid this in twice. <b>Please</b> look at it.'
const PHONE = { width: 390, height: 844 }

test('14.1: a user writes what is wrong, staff answer and decide, and the user reads it in English and Arabic', async ({
  browser,
  page,
  site,
}, info) => {
  const user = await createUser(site, { funds: 50 })
  await openAs(page, user, site, '/history/deposit')
  await page.getByRole('link', { name: 'Something is wrong' }).first().click()
  await expect(page.getByRole('heading', { name: 'Something is wrong' })).toBeVisible()
  const main = page.getByRole('main')
  await main.getByLabel('What is it about?').selectOption('amount')
  await main.getByLabel('What happened?').fill('Too short.')
  await main.getByRole('button', { name: 'Send' }).click()
  await expect(main.getByText('Write at least 20 characters').first()).toBeVisible()
  await main.getByLabel('What happened?').fill(WORDS)
  await main.getByLabel(/^Picture 1 of 3/).setInputFiles('docs/images/desktop.png')
  await expect(main.getByLabel(/^Picture 2 of 3/)).toBeAttached()
  await expectSound(page, 'new ticket')
  await main.getByRole('button', { name: 'Send' }).click()
  await expect(main.getByText(WORDS)).toBeVisible()
  await expect(main.getByText('Pictures: 1')).toBeVisible()
  await expect(main.getByText('Waiting for our reply')).toBeVisible()
  const no = page.url().split('/').at(-1) ?? ''

  for (const viewport of [PHONE, { width: 1440, height: 900 }]) {
    const staff = await openAsStaff(browser, site, 'finance', `/tickets/${no}?which=all`, viewport)
    const pane = staff.page.getByRole('region', { name: no })
    await expect(pane.getByText(WORDS)).toBeVisible()
    await expect(pane.getByText('Credited', { exact: true })).toBeVisible()
    await expect(pane.getByRole('img', { name: 'Picture 1 of message 1' })).toBeVisible()
    for (const theme of ['light', 'dark'] as const) {
      await useTheme(staff.page, theme)
      expect.soft(await accessibilityFaults(staff.page), `staff ${viewport.width} ${theme}`).toEqual([])
      await staff.page.screenshot({ path: info.outputPath(`staff-${viewport.width}-${theme}.png`) })
    }
    if (viewport === PHONE) {
      await pane.getByRole('button', { name: 'Take' }).click()
      await expect(staff.page.getByText('The ticket is yours.')).toBeVisible()
      await pane.getByLabel('Reply to the user').fill('We have found both payments.')
      await pane.getByRole('button', { name: 'Send reply' }).click()
      await expect(pane.getByText('We have found both payments.')).toBeVisible()
    } else {
      await pane.getByLabel('Verdict', { exact: true }).selectOption('mistake')
      await pane.getByLabel('Reason for the user').fill('The second payment was credited late.')
      await pane.getByRole('button', { name: 'Give verdict' }).click()
      await expect(pane.getByText('The second payment was credited late.')).toBeVisible()
    }
    expect(staff.problems).toEqual([])
    await staff.close()
  }

  await page.goto(`${site}/inbox`)
  await page
    .getByRole('link', { name: /Your ticket has a reply/ })
    .first()
    .click()
  await expect(main.getByText('The second payment was credited late.')).toBeVisible()
  await expect(main.getByText('Our mistake').first()).toBeVisible()
  for (const theme of ['light', 'dark'] as const) {
    await useTheme(page, theme)
    await expectSound(page, `ticket ${theme}`)
    await page.screenshot({ path: info.outputPath(`user-390-${theme}.png`), fullPage: true })
  }
  await page.goto(`${site}/tickets`)
  await expect(main.getByRole('link', { name: /The amount/ })).toBeVisible()
  await expectSound(page, 'tickets')
  await page.screenshot({ path: info.outputPath('tickets-390.png'), fullPage: true })

  await page.evaluate(() => localStorage.setItem('lang', 'ar'))
  for (const path of ['/tickets', `/tickets/${no}`, '/tickets/new']) {
    await page.goto(site + path)
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await expectSound(page, `${path} in Arabic`)
  }
  await page.goto(`${site}/tickets/${no}`)
  await expect(main.getByText('خطأ منا').first()).toBeVisible()
  await page.screenshot({ path: info.outputPath('user-390-ar.png'), fullPage: true })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.screenshot({ path: info.outputPath('user-1440-ar.png') })
  const { token } = user.session
  await post(site, `/user/tickets/${no}/close`, {}, token)
  expect(await get(site, `/user/tickets/${no}`, token)).toMatchObject({ ticket: { state: 'closed' } })
})

async function expectSound(page: Page, what: string): Promise<void> {
  expect.soft(await findFlaws(page), what).toEqual([])
  expect.soft(await accessibilityFaults(page), what).toEqual([])
}
