import { findFlaws } from '../find-flaws.ts'
import { findShortened } from '../find-shortened.ts'
import { findSqueezed } from '../find-squeezed.ts'
import { expect, test } from '../fixtures.ts'
import { findCoveredByToast, findCutPrices } from '../pages/layout.ts'
import { findMoved, watchPlaces } from '../pages/places.ts'
import { TradePage } from '../pages/trade-page.ts'
import { createUser, goWithin, openAs } from '../users.ts'

const [NARROWEST, WIDEST] = [320, 430]
/** The minimum width of a banner, in px, that leaves room for its text beside its picture. */
const ROOM_FOR_PICTURE = 358

for (const language of ['en', 'ar']) {
  test(`F81, F32: no price is cut at any width from 320 to 430 px, ${language}`, async ({ page, site }) => {
    await page.addInitScript((code) => localStorage.setItem('lang', code), language)
    await openAs(page, await createUser(site, { funds: 1_000 }), site, '/market')
    const devTools = await page.context().newCDPSession(page)
    const flaws: string[] = []
    for (const path of ['/market', '/trade/BTC']) {
      await goWithin(page, path)
      const isThere = path === '/market' ? page.getByRole('searchbox') : page.locator('[data-part=legend] span').first()
      await isThere.waitFor()
      for (let width = NARROWEST; width <= WIDEST; width++) {
        await devTools.send('Emulation.setDeviceMetricsOverride', {
          width,
          height: 844,
          deviceScaleFactor: 1,
          mobile: true,
        })
        for (const flaw of await findCutPrices(page)) flaws.push(`${path} ${width}: ${flaw}`)
      }
    }
    expect(flaws).toEqual([])
  })
}

test('F84: beside a scrollbar no control touches the demo line, and the text of the banner has room beside its picture', async ({
  page,
  site,
}) => {
  await page.goto(site)
  const picture = page.getByRole('region', { name: 'Highlights' }).locator('img').first()
  await expect(picture).toBeAttached()
  // Narrows the page by 15 px, the width of a desktop browser's scrollbar, which is part of the window but not of the
  // page.
  await page.evaluate(() => document.documentElement.style.setProperty('width', 'calc(100% - 15px)'))
  const flaws: string[] = []
  for (let width = NARROWEST + 15; width <= WIDEST + 15; width++) {
    await page.setViewportSize({ width, height: 844 })
    const found = await page.evaluate(() => {
      const header = [...document.querySelectorAll('header')].find((one) => one.checkVisibility())
      const [brand, ...controls] = [...(header?.querySelectorAll('a, button') ?? [])].filter((one) =>
        one.checkVisibility({ visibilityProperty: true }),
      )
      const range = document.createRange()
      range.selectNodeContents(brand ?? document.body)
      const end = range.getBoundingClientRect().right
      return controls
        .map((one) => ({ name: one.textContent || one.ariaLabel, start: one.getBoundingClientRect().left }))
        .filter(({ start }) => start < end)
        .map(({ name, start }) => `${name} begins at ${start} px, the demo line ends at ${end} px`)
    })
    for (const flaw of found) flaws.push(`${width} px: ${flaw}`)
    const room = await picture.evaluate((one) => one.parentElement?.clientWidth ?? 0)
    if (room < ROOM_FOR_PICTURE && (await picture.isVisible()))
      flaws.push(`${width} px: the picture is shown in ${room} px`)
  }
  expect(flaws).toEqual([])
})

for (const language of ['en', 'ar', 'ku']) {
  test(`F32: on a narrow phone the figures of the day stand two or four to a row, and the brand and the demo line fit, ${language}`, async ({
    page,
    site,
  }) => {
    await page.addInitScript((code) => localStorage.setItem('lang', code), language)
    await openAs(page, await createUser(site, { funds: 1_000 }), site, '/market')
    for (const width of [320, 344, 360, 375, 390, 412, 430]) {
      await page.setViewportSize({ width, height: 844 })
      await goWithin(page, '/market')
      const brand = page.locator('header:visible a[href="/"]')
      const name = brand.locator('[dir=auto]')
      await expect(name).toBeVisible()
      expect(await name.evaluate((one) => one.scrollWidth - one.clientWidth), `brand at ${width}`).toBeLessThanOrEqual(
        1,
      )
      const lines = await brand.evaluate((one) => {
        const range = document.createRange()
        const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT)
        let last: Node = one
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) last = node
        range.selectNodeContents(last)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
      })
      expect(lines, `lines of the demo note at ${width}`).toBeLessThanOrEqual(2)

      await goWithin(page, '/trade/BTC')
      const figures = page.locator('main dl').first().locator('> div')
      await expect(figures).toHaveCount(4)
      const tops = await figures.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)))
      const perRow = [...new Set(tops)].map((top) => tops.filter((one) => one === top).length)
      expect([[4], [2, 2]], `figures at ${width}`).toContainEqual(perRow)
    }
  })
}

test('F30: in landscape the header is low, and chart, direction, stake and submit button are in view', async ({
  page,
  site,
}) => {
  const user = await createUser(site, { funds: 100 })
  for (const size of [
    { width: 844, height: 390 },
    { width: 667, height: 375 },
  ]) {
    await page.setViewportSize(size)
    await openAs(page, user, site, '/trade/BTC')
    const trade = new TradePage(page)
    const header = await page.getByRole('banner').last().boundingBox()
    expect(header?.height ?? 0).toBeLessThanOrEqual(48)
    const chart = page.getByRole('img', { name: /candles of|Price of/ })
    await expect(chart).toBeVisible()
    expect((await chart.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(160)
    if (size.width < 768) await page.getByRole('button', { name: /^Buy/ }).click()
    const direction =
      size.width < 768 ? page.getByRole('dialog').getByRole('heading') : page.getByRole('button', { name: 'Sell' })
    for (const part of [direction, trade.stake, trade.submit]) await expect(part).toBeInViewport({ ratio: 1 })
    // Before any scrolling, the stake field must end above the pinned submit button.
    const [stake, submit] = [await trade.stake.boundingBox(), await trade.submit.boundingBox()]
    expect((stake?.y ?? 0) + (stake?.height ?? 0), `stake at ${size.width}`).toBeLessThanOrEqual(submit?.y ?? 0)
    await trade.submit.click({ trial: true })
  }
})

test('F32: on a narrow phone or in large text, public trades show whole names on one line', async ({ page, site }) => {
  const trade = { price: 119_254.28, time: 1_800, unit: 'minute', direction: 2, opened_at: '2026-11-29T08:00:00Z' }
  const trades = [true, false].map((isBot) => ({ id: `bot: ${isBot}`, user: 'Mw•••W', is_bot: isBot, ...trade }))
  await page.route('**/user/latest_trades', (route) => route.fulfill({ json: { data: { trades, older_id: null } } }))
  await openAs(page, await createUser(site), site, '/trade/BTC')
  const names = page.getByRole('tabpanel').locator('bdi')
  await expect(names).toHaveCount(trades.length)
  for (const [text, width] of [
    ['100%', 320],
    ['200%', 390],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await page.evaluate((size) => (document.documentElement.style.fontSize = size), text)
    const flaws = [...(await findFlaws(page)), ...(await findSqueezed(page)), ...(await findShortened(page))]
    expect(flaws, `at ${text}`).toEqual([])
    const lines = await names.evaluateAll((all) => all.map((one) => one.getClientRects().length))
    expect(lines, `lines of each name at ${text}`).toEqual([1, 1])
  }
})

for (const { language, ends } of [
  { language: 'en', ends: ['right', 'left right', 'left'] },
  { language: 'ar', ends: ['left', 'left right', 'right'] },
]) {
  test(`F32: on a narrow phone the row of intervals shows at which end it can be scrolled to further intervals, ${language}`, async ({
    page,
    site,
  }) => {
    await page.addInitScript((code) => localStorage.setItem('lang', code), language)
    await page.setViewportSize({ width: 320, height: 568 })
    await openAs(page, await createUser(site), site, '/trade/BTC')
    const strip = page.getByRole('radiogroup').filter({ hasText: '30m' })
    for (const [at, end] of ends.entries()) {
      await strip.evaluate((one, part) => {
        const direction = getComputedStyle(one).direction === 'rtl' ? -1 : 1
        one.scrollLeft = (direction * part * (one.scrollWidth - one.clientWidth)) / 2
      }, at)
      await expect(strip).toHaveAttribute('data-more', end)
    }
    // A window with room for all intervals needs no such sign.
    await page.setViewportSize({ width: 700, height: 568 })
    await expect(strip).not.toHaveAttribute('data-more')
  })
}

test('F31, F34: on a phone the legend takes one line, and the table columns do not touch', async ({ page, site }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await openAs(page, await createUser(site), site, '/trade/BTC')
  const legend = page.locator('[data-part=legend]')
  await expect(legend).toHaveText(/O [\d,.]+/)
  const [row, chart] = [await legend.boundingBox(), await page.getByRole('img', { name: /candles of/ }).boundingBox()]
  if (row === null || chart === null) throw new Error('no chart')
  expect(row.height, 'the legend takes one line').toBeLessThan(24)
  expect(row.y + row.height, 'the legend is above the chart').toBeLessThanOrEqual(chart.y + 1)

  await page.getByRole('button', { name: 'Show as table' }).click()
  await expect(page.getByRole('cell').first()).toBeVisible()
  const rowGaps = await page.getByRole('row').evaluateAll((rows) =>
    rows.map((one) => {
      const boxes = [...one.querySelectorAll('th, td')].map((cell) => {
        const range = document.createRange()
        range.selectNodeContents(cell)
        return range.getBoundingClientRect()
      })
      const gaps = boxes.flatMap((a, at) =>
        boxes
          .slice(at + 1)
          .filter((b) => a.bottom > b.top + 1 && b.bottom > a.top + 1)
          .map((b) => Math.max(b.left - a.right, a.left - b.right)),
      )
      return Math.min(...gaps)
    }),
  )
  expect(Math.min(...rowGaps), 'room between columns').toBeGreaterThanOrEqual(6)
  expect(await findCutPrices(page)).toEqual([])
})

test('F20, F21, F22, F83: the message about a result covers nothing, and its link stays until the user opens the result panel', async ({
  page,
  site,
}) => {
  await openAs(page, await createUser(site, { funds: 100 }), site, '/trade/BTC')
  const trade = new TradePage(page)
  await trade.order('Buy', '10')
  await trade.tradeOn()
  const unseen = page.getByRole('link', { name: /^Show the result/ })
  const toast = page.locator('[data-toast]')
  await expect(toast).toContainText('BTC/USDT')
  expect(await findCoveredByToast(page)).toEqual([])
  await expect(unseen).toContainText('BTC/USDT')

  // The result survives a reload and a change of the screen.
  await page.reload()
  await expect(unseen).toBeVisible()
  await unseen.click()
  await expect(trade.verdict).toBeVisible()

  // F22: the next tick arrives late and does not move the layout.
  const go = page.getByRole('button', { name: 'Continue' })
  const before = await go.boundingBox()
  await expect(page.getByRole('listitem').filter({ hasText: 'Next tick' })).toContainText(/\d\.\d/)
  expect(await go.boundingBox()).toEqual(before)
  await page.getByRole('link', { name: 'Check this result' }).click()
  await expect(page).toHaveURL(/\/check\//)
  // F28: the buttons do not cover the verdict, even with large text or in a low window.
  for (const [text, height] of [
    ['200%', 844],
    ['100%', 640],
  ] as const) {
    await page.setViewportSize({ width: 320, height })
    await page.evaluate((size) => (document.documentElement.style.fontSize = size), text)
    await page.goBack()
    await expect(trade.verdict).toBeVisible()
    await expect
      .poll(async () => {
        const [verdict, edge] = [await trade.verdict.boundingBox(), await go.boundingBox()]
        return (edge?.y ?? 0) - (verdict?.y ?? 0) - (verdict?.height ?? 0)
      }, `${text} text on ${height} px`)
      .toBeGreaterThan(0)
    if (text === '200%') await page.goForward()
  }
  await go.click()
  await expect(trade.verdict).toHaveCount(0)
  await expect(unseen).toHaveCount(0)
  await expect(page).toHaveURL(/\/trade\/BTC$/)
})

test('F22: on a small phone nothing that can be pressed moves when a result arrives', async ({ page, site }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await openAs(page, await createUser(site, { funds: 100 }), site, '/trade/BTC')
  const trade = new TradePage(page)
  await trade.order('Buy', '10')
  await page.getByRole('link', { name: 'Market', exact: true }).click()
  await page.getByRole('link', { name: 'Trade', exact: true }).click()
  const running = page.getByRole('button', { name: /1 order running/ })
  const place = await running.boundingBox()
  await watchPlaces(page)
  const unseen = page.getByRole('link', { name: /^Show the result/ })
  await expect(page.locator('[data-toast]')).toContainText('BTC/USDT')
  await expect(running).toHaveCount(0)
  expect(await unseen.boundingBox(), 'the result takes the place of its order').toEqual(place)
  await expect(page.locator('[data-toast]')).toHaveCount(0)
  expect(await findMoved(page)).toEqual([])
})
