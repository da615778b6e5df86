import { expect, it, vi } from 'vitest'
import { newId } from '#ui/new-id.ts'

it('newId returns a new UUID version 7 with the present time', () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 2, 3, 4, 5, 678) })
  try {
    const ids = Array.from({ length: 1_000 }, newId)
    expect(new Set(ids).size).toBe(1_000)
    for (const id of ids) expect(id).toMatch(/^019b7ca9-8f2e-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u)
  } finally {
    vi.useRealTimers()
  }
})

it('newId returns ids in the order of time', () => {
  vi.useFakeTimers({ now: 1 })
  try {
    const first = newId()
    vi.advanceTimersByTime(1)
    expect(newId() > first).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})
