import type { Page } from '@playwright/test'

/** Keeps a picture of the screen below test-results when E2E_PICTURES is set, for people to look through. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env['E2E_PICTURES']) await page.screenshot({ path: `test-results/${name}.png` })
}
