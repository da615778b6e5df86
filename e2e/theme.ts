import { expect, type Page } from '@playwright/test'

/** Changes the theme of the open page without a reload, and waits until it is applied. */
export async function useTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((name) => {
    localStorage.setItem('theme', name)
    // The event that a change in another tab causes.
    dispatchEvent(new StorageEvent('storage', { key: 'theme' }))
  }, theme)
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
  // Waits for colour transitions, because an accessibility check would otherwise measure the contrast of an
  // intermediate colour.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map((transition) => transition.finished),
    ),
  )
}
