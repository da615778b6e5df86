import type { Page } from '@playwright/test'

/** Fills in the sheet that requires the password before a protected change. */
export async function confirm(page: Page, password: string): Promise<void> {
  const sheet = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await sheet.getByLabel('Current password', { exact: true }).fill(password)
  await sheet.getByRole('button', { name: 'Confirm', exact: true }).click()
}
