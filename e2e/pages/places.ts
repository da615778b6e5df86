import type { Page } from '@playwright/test'

/** From now on records, in every animation frame, how far each link and each button is from the top of the window. */
export async function watchPlaces(page: Page): Promise<void> {
  await page.evaluate(() => {
    const places = new Map<Element, Set<number>>()
    const look = (): void => {
      for (const one of document.querySelectorAll('a[href], button')) {
        const { top, height } = one.getBoundingClientRect()
        if (height <= 1 || !one.checkVisibility()) continue
        const seen = places.get(one) ?? new Set()
        places.set(one, seen.add(Math.round(top)))
      }
      requestAnimationFrame(look)
    }
    globalThis.takeMoved = () =>
      [...places]
        .filter(([, tops]) => tops.size > 1)
        .map(([one, tops]) => `${one.ariaLabel ?? one.textContent}: ${[...tops].join(' → ')}`)
    look()
  })
}

/** Lists the links and buttons that moved vertically since `watchPlaces`. */
export function findMoved(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => globalThis.takeMoved())
}

declare global {
  var takeMoved: () => readonly string[]
}
