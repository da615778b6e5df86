import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { retry, withTimeout } from '#ui/retry.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('retry repeats the work after growing delays until one attempt succeeds', async () => {
  const work = vi.fn<() => Promise<string>>(async () => 'there')
  work.mockRejectedValueOnce(new Error('cut off')).mockRejectedValueOnce(new Error('cut off'))
  const answer = retry(work)
  await vi.advanceTimersByTimeAsync(499)
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(work).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(1_500)
  await expect(answer).resolves.toBe('there')
  expect(work).toHaveBeenCalledTimes(3)
})

test('retry rejects with the last error after four attempts', async () => {
  let tries = 0
  const failure = retry(async () => Promise.reject(new Error(`try ${(tries += 1)}`))).catch(String)
  await vi.runAllTimersAsync()
  expect(await failure).toBe('Error: try 4')
})

test('withTimeout rejects after the time limit, or passes the outcome of the work on and leaves no timer', async () => {
  const failure = withTimeout(3_000, new Promise(() => {})).catch(String)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await failure).toBe('Error: nothing came within 3000 ms')
  await expect(withTimeout(3_000, Promise.resolve(7))).resolves.toBe(7)
  await expect(withTimeout(3_000, Promise.reject(new Error('its own')))).rejects.toThrow('its own')
  expect(vi.getTimerCount()).toBe(0)
})
