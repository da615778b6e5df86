import type { Page } from '@playwright/test'
import { createBusyUser } from '../every-route.ts'
import { expect, test } from '../fixtures.ts'
import { findFlaws } from '../find-flaws.ts'
import { findShortened } from '../find-shortened.ts'
import { findSqueezed } from '../find-squeezed.ts'
import { createUser, goWithin, openAs } from '../users.ts'

const TRADE = '/trade/EURUSD'

test('F33: no tab, market or symbol is cut or touches its neighbour on a wide screen', async ({ page, site }) => {
  await openAs(page, await createUser(site, { funds: 1_000 }), site, '/market')
  const flaws: string[] = []
  for (const path of ['/market', '/trade/ATOM', TRADE]) {
    await goWithin(page, path)
    await expect(page.getByRole('tab', { name: /^Favorites/ })).toBeVisible()
    for (const width of [1024, 1200, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      const found = [...(await findFlaws(page)), ...(await findCrowded(page))]
      flaws.push(...found.map((flaw) => `${path} ${width}: ${flaw}`))
    }
  }
  expect(flaws).toEqual([])
})

test('F33: a tablet shows logo, language and theme once', async ({ page, site }) => {
  const user = await createUser(site, { funds: 1_000 })
  for (const size of [
    { width: 768, height: 1024 },
    { width: 1023, height: 768 },
  ]) {
    await page.setViewportSize(size)
    await openAs(page, user, site, '/market')
    for (const path of ['/market', TRADE, '/wallet']) {
      await goWithin(page, path)
      await expect(page.getByRole('main')).toBeVisible()
      const where = `${path} at ${size.width} px`
      await expect(page.locator('svg[viewBox="0 0 28 28"]:visible'), `logos of ${where}`).toHaveCount(1)
      expect(await page.locator('a[href="/languages"]:visible').count(), `languages of ${where}`).toBeLessThanOrEqual(1)
      const themes = page.getByRole('button', { name: /^Use the (light|dark) theme$/ })
      expect(await themes.count(), `themes of ${where}`).toBeLessThanOrEqual(1)
    }
  }
})

for (const language of ['en', 'de']) {
  test(`F33: below the chart, each list of orders fits its panel at every width, ${language}`, async ({
    page,
    site,
  }) => {
    await page.addInitScript((code) => localStorage.setItem('lang', code), language)
    await openAs(page, await createBusyUser(site), site, '/trade/BTC')
    const lists = page.locator('[role=tab][id^=trade-dock-]')
    await expect(lists).toHaveCount(3)
    const flaws: string[] = []
    for (const list of await lists.all()) {
      await list.click()
      await expect(page.locator('#trade-dock-panel :is(tr, li)').first()).toBeAttached()
      for (const width of [768, 800, 844, 960, 1024, 1100, 1200, 1280, 1366, 1440, 1920]) {
        await page.setViewportSize({ width, height: 900 })
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
        const found = [...(await findShortened(page)), ...(await findSqueezed(page))]
        const name = await list.innerText()
        flaws.push(...found.map((flaw) => `${name} at ${width} px: ${flaw}`))
      }
    }
    expect(flaws).toEqual([])
  })
}

/** 4 px: closer texts look like one word. */
const MIN_GAP_PX = 4

/** Lists tabs and choices whose text is cut, and texts of a market row that touch the next part of the row. */
function findCrowded(page: Page): Promise<string[]> {
  return page.evaluate((minGap) => {
    const flaws: string[] = []
    const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true })
    for (const list of document.querySelectorAll('[role=tablist], [role=radiogroup]')) {
      if (isShown(list) && list.scrollWidth > list.clientWidth + 1)
        flaws.push(`a choice of "${list.getAttribute('aria-label')}" is out of sight`)
    }
    for (const choice of document.querySelectorAll('[role=tab], [role=radiogroup] label')) {
      if (isShown(choice) && choice.scrollWidth > choice.clientWidth + 1)
        flaws.push(`the choice "${choice.textContent}" is cut`)
    }
    const range = document.createRange()
    for (const row of document.querySelectorAll('main a[href^="/trade/"]')) {
      if (!isShown(row)) continue
      const boxes: { name: string; box: DOMRect }[] = []
      const walker = document.createTreeWalker(row, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const parent = node instanceof Element ? node : node.parentElement
        if (parent === null || !isShown(parent)) continue
        const isLine = node instanceof SVGSVGElement
        if (!isLine && (node instanceof Element || node.textContent?.trim() === '')) continue
        range.selectNode(node)
        const box = (node instanceof Element ? node : range).getBoundingClientRect()
        if (box.width > 1) boxes.push({ name: isLine ? 'line' : (node.textContent ?? ''), box })
      }
      const lines = boxes.filter(({ name }) => name === 'line')
      for (const { box: line } of lines)
        for (const { name, box } of boxes) {
          const isBeside = box.top < line.bottom && box.bottom > line.top
          const gap = Math.max(line.left - box.right, box.left - line.right)
          if (name !== 'line' && isBeside && gap < minGap)
            flaws.push(`${name} touches its line by ${gap.toFixed(1)} px`)
        }
    }
    return [...new Set(flaws)]
  }, MIN_GAP_PX)
}
