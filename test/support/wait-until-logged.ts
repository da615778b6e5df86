import { expect, vi } from 'vitest'
import type { TickService } from '#server/market-data/ticks.ts'
import type { TestContext } from '#test/support/test-context.ts'

/** 100 ms: the time for which the log collects prices before it writes them. */
const LOGGED_WITHIN_MS = 100

interface Prices {
  readonly ctx: TestContext
  readonly ticks: Pick<TickService, 'waitingSince'>
}

/**
 * Waits until the log contains all prices of these symbols that are older than `LOGGED_WITHIN_MS`. Call it after each
 * step of the clock. Otherwise the clock runs ahead of a slow database, and the prices become too old for orders.
 */
export async function waitUntilLogged(prices: Prices, symbols: readonly { readonly id: number }[]): Promise<void> {
  await vi.waitFor(() => {
    // The log sets its next timer when a write ends. The timer fires only when the clock is moved.
    prices.ctx.clock.advance(0)
    expect(symbols.filter(({ id }) => isLate(prices, id))).toEqual([])
  })
}

function isLate({ ctx, ticks }: Prices, symbolId: number): boolean {
  const since = ticks.waitingSince(symbolId)
  return since !== null && ctx.now() - since > LOGGED_WITHIN_MS
}
