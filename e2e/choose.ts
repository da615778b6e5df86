import { expect, type Locator } from '@playwright/test'

/**
 * Chooses a radio option. The text of an option covers its input, so the press is forced. A forced press does not wait
 * until a sheet has slid in, so it is repeated until it has an effect.
 */
export async function choose(option: Locator): Promise<void> {
  await expect(() => option.check({ force: true, timeout: 2_000 })).toPass()
}
