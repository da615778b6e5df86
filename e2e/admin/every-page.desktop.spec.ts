import type { Page } from '@playwright/test'
import { accessibilityFaults } from '../accessibility-faults.ts'
import { createBusyUser } from '../every-route.ts'
import { expect, test } from '../fixtures.ts'
import { openAsStaff } from '../staff.ts'
import { takePicture } from '../take-picture.ts'
import { goWithin } from '../users.ts'

const LOOKS = [
  { name: 'desktop', viewport: { width: 1440, height: 900 } },
  { name: 'phone', viewport: { width: 390, height: 844 } },
] as const

for (const { name: look, viewport } of LOOKS) {
  test(`no page of the back office has a visible flaw on a ${look}`, async ({ browser, site }) => {
    await createBusyUser(site)
    const owner = await openAsStaff(browser, site, 'owner', '/', viewport)
    const { page } = owner
    await turn(page, 'light')
    for (const path of await pathsOf(page, look)) {
      await open(page, site + path)
      await expectSound(page, `${path} (${look})`, look)
      await shoot(page, look, path)
      const row = page.locator('tr[data-row][tabindex="0"]').first()
      if ((await row.count()) === 0) continue
      await row.press('Enter')
      await expect(page).not.toHaveURL(site + path)
      await expectSound(page, `${path}, a row open (${look})`, look, 'open')
      await shoot(page, look, `${path}-open`)
    }
    expect(owner.problems).toEqual([])
    await owner.close()
  })
}

/** Returns the paths that the navigation shows to an owner. */
async function pathsOf(page: Page, look: string): Promise<string[]> {
  if (look === 'phone') await page.getByRole('button', { name: 'Open the menu' }).click()
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
  await expect(links.first()).toBeVisible()
  return links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
}

/** Opens a page from the previous one, whose title stays until the new page is ready. */
async function open(page: Page, address: string): Promise<void> {
  const title = page.locator('h1').first()
  const before = await title.textContent()
  if (page.url() === address) return
  await goWithin(page, new URL(address).pathname)
  await expect(title).not.toHaveText(before ?? '')
}

/** Expects a loaded page that fits the window and has no accessibility faults. */
async function expectSound(page: Page, what: string, look: 'desktop' | 'phone', state?: 'open'): Promise<void> {
  await expect(page.locator('h1').first()).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect.soft(tooWide, `${what} scrolls sideways`).toBeLessThanOrEqual(0)
  await settle(page)
  // On a phone the check leaves out colours, because they are the same as on a desktop.
  const faults = await accessibilityFaults(page, look === 'desktop' ? 'all' : 'all but colours')
  expect.soft(faults, what).toEqual([])
  if (look === 'phone' || state === 'open') return
  await turn(page, 'dark')
  expect.soft(await accessibilityFaults(page, 'colours'), `${what}, dark`).toEqual([])
  await turn(page, 'light')
}

/** Changes the theme with the storage event that a change in another tab causes. */
async function turn(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((name) => {
    localStorage.setItem('theme', name)
    dispatchEvent(new StorageEvent('storage', { key: 'theme' }))
  }, theme)
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
  await settle(page)
}

async function settle(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined))),
  )
}

async function shoot(page: Page, look: string, path: string): Promise<void> {
  const file = path.replace(/^\/admin\/?/, '').replaceAll('/', '-')
  await takePicture(page, `admin/${look}-${file}`)
}
