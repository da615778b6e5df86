import { expect, type Locator } from '@playwright/test'

/**
 * Chooses a radio option. The words of an option lie above its input, so the press is forced. A forced press does not
 * wait until a sheet has slid in, so a press without effect is repeated.
 */
export async function choose(option: Locator): Promise<void> {
  await expect(() => option.check({ force: true, timeout: 2_000 })).toPass()
}
