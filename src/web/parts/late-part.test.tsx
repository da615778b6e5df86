import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { latePart } from '#web/parts/late-part.tsx'

let isOnline = false
beforeEach(() => {
  isOnline = false
  vi.useFakeTimers()
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline)
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

async function comeOnline(): Promise<void> {
  isOnline = true
  await act(async () => {
    globalThis.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(100)
  })
}

function onlyOnline(text: string) {
  return async () => {
    if (!isOnline) throw new TypeError('Failed to fetch')
    return () => <p>{text}</p>
  }
}

it('F29: a part that failed to load leaves the rest of the page, and appears once the network is back', async () => {
  const Part = latePart(onlyOnline('The chart'))
  render(
    <main>
      <h1>Bitcoin</h1>
      <Part />
    </main>,
  )
  await act(() => vi.advanceTimersByTimeAsync(7_000))
  expect(screen.getByRole('heading').textContent).toBe('Bitcoin')
  expect(screen.getByRole('alert').textContent).toBe('This part of the app could not be loaded.')
  expect(screen.queryByRole('button')).toBeNull()
  await comeOnline()
  expect(screen.getByText('The chart')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

it('F29: if only the inner part failed to load, the outer part stays and the inner part appears later', async () => {
  const Inner = latePart(onlyOnline('The table'))
  const Outer = latePart(async () => () => (
    <section>
      The chart
      <Inner />
    </section>
  ))
  render(<Outer />)
  await act(() => vi.advanceTimersByTimeAsync(0))
  await act(() => vi.advanceTimersByTimeAsync(7_000))
  expect(screen.getByText('The chart')).toBeTruthy()
  expect(screen.getAllByRole('alert')).toHaveLength(1)
  await comeOnline()
  expect(screen.getByText('The table')).toBeTruthy()
})

it('a part whose code throws an error shows a failure and is not rendered again', async () => {
  isOnline = true
  let renders = 0
  const Part = latePart<object>(async () => () => {
    renders += 1
    throw new Error('a fault')
  })
  render(<Part />)
  await act(() => vi.advanceTimersByTimeAsync(100))
  const first = renders
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(renders).toBe(first)
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
})
