import { expect, type Locator } from '@playwright/test'

/**
 * Chooses a radio option. The text of an option covers its input, so Playwright must click without its usual checks
 * (`force`). Such a click does not wait until a sheet has slid in, so this function repeats it until the option is
 * chosen.
 */
export async function choose(option: Locator): Promise<void> {
  await expect(() => option.check({ force: true, timeout: 2_000 })).toPass()
}
