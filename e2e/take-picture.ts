import type { Page } from '@playwright/test'

/** Saves a screenshot in test-results when E2E_PICTURES is set, for visual review. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env['E2E_PICTURES']) await page.screenshot({ path: `test-results/${name}.png` })
}
