import { expect, vi } from 'vitest'
import type { FakeClock } from '#test/support/fake-clock.ts'

interface Poll {
  readonly interval: number
  /** How far the clock advances before each check of the condition. */
  readonly stepMs: number
}

/** Advances the clock in small steps until the condition is true. */
export async function advanceUntil(clock: FakeClock, isSo: () => unknown, { stepMs, ...poll }: Poll): Promise<void> {
  await vi.waitFor(() => {
    clock.advance(stepMs)
    expect(isSo()).toBeTruthy()
  }, poll)
}
