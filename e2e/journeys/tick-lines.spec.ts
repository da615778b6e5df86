import type { Page } from '@playwright/test'
import { choose } from '../choose.ts'
import { expect, test } from '../fixtures.ts'
import { takePicture } from '../take-picture.ts'
import { useTheme } from '../theme.ts'
import { createUser, openAs } from '../users.ts'

const legend = (page: Page) => page.locator('[data-part=legend]')
const line = (page: Page) => page.locator('[data-part=ticks]')

async function chooseLine(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Chart settings' }).click()
  await choose(page.getByRole('radio', { name: new RegExp(`^${name}`) }))
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('a line of ticks follows every tick and is shown again after a reload, and the choice of an interval shows candles again', async ({
  page,
  site,
}) => {
  const scripts: string[] = []
  const sent: string[] = []
  const received: string[] = []
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname))
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => sent.push(String(payload)))
    socket.on('framereceived', ({ payload }) => received.push(String(payload)))
  })
  await openAs(page, await createUser(site), site, '/trade/BTC')
  await expect(legend(page)).toHaveText(/O [\d,.]+/)
  await page.waitForLoadState('networkidle')
  expect(scripts.filter((path) => /tick-pane|recent-ticks/.test(path))).toEqual([])

  await chooseLine(page, '1 s')
  await expect(line(page)).toHaveAttribute('data-state', 'ready')
  await expect(line(page)).toHaveAttribute('aria-label', /^BTC.*, 1 s, [\d:]+ to [\d:]+ .*: last [\d,.]+, change /)
  await expect(page.getByText('The newest price of each second, 15 minutes')).toBeVisible()
  expect(scripts).toContain('/api/user/recent-ticks')
  expect(sent.map((text) => JSON.parse(text) as unknown)).toContainEqual({
    action: 'watch',
    symbols: ['BTC'],
    every: true,
  })
  // Price messages have a sequence number (`q`) only while the page is subscribed to every tick.
  const numbered = () => received.filter((text) => /"q":\d+/.test(text)).length
  await expect.poll(numbered).toBeGreaterThan(3)
  for (const name of ['1m', '5m', '30m', '1h', '1d'])
    await expect(page.getByRole('radio', { name, exact: true })).not.toBeChecked()
  for (const theme of ['light', 'dark'] as const) {
    await useTheme(page, theme)
    await takePicture(page, `chart 1 s ${theme}`)
  }

  await chooseLine(page, 'Ticks')
  await expect(line(page)).toHaveAttribute('aria-label', /^BTC.*, Ticks, /)
  await takePicture(page, 'chart ticks')
  await page.reload()
  await expect(line(page)).toHaveAttribute('aria-label', /^BTC.*, Ticks, /)
  await expect(line(page)).toHaveAttribute('data-state', 'ready')

  await choose(page.getByRole('radio', { name: '5m', exact: true }))
  await expect(line(page)).toHaveCount(0)
  await expect(legend(page)).toHaveText(/O [\d,.]+/)
})

test('the chart says that a line of ticks has no indicators', async ({ page, site }) => {
  await page.addInitScript(() => {
    const sma = { kind: 'sma', parameters: [20], source: 'close', colour: 1 }
    localStorage.setItem('desk', JSON.stringify({ version: 1, ticks: 'every', indicators: [sma] }))
  })
  await openAs(page, await createUser(site), site, '/trade/BTC')
  await expect(line(page)).toHaveAttribute('data-state', 'ready')
  await expect(page.getByText('No indicators in this view.')).toBeVisible()
  await takePicture(page, 'chart ticks without indicators')
})

test.describe('while earlier ticks do not load', () => {
  test.use({ allowedProblems: [/ERR_FAILED/] })

  test('the line of ticks offers a button to try again, and loads after a press', async ({ page, site }) => {
    await page.addInitScript(() => localStorage.setItem('desk', '{"version":1,"ticks":"second"}'))
    await page.route('**/api/user/recent-ticks', (route) => route.abort())
    await openAs(page, await createUser(site), site, '/trade/BTC')
    const again = page.getByRole('button', { name: 'Try again' })
    await expect(again).toBeVisible()
    await takePicture(page, 'chart ticks failed')
    await page.unroute('**/api/user/recent-ticks')
    await again.click()
    await expect(line(page)).toHaveAttribute('data-state', 'ready')
    await expect(again).toHaveCount(0)
  })
})
