// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { type ComponentType, Suspense, useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { preloadable } from '#ui/preloadable.tsx'

afterEach(cleanup)

function Counter({ name }: { name: string }) {
  const [count, setCount] = useState(0)
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      {name} {count}
    </button>
  )
}

/** A component whose code loads when `arrive` is called, and the number of its loads. */
function counterToCome() {
  let arrive = () => {}
  const promise = new Promise<ComponentType<{ name: string }>>((resolve) => {
    arrive = () => resolve(Counter)
  })
  const loads = { times: 0 }
  const Late = preloadable(() => {
    loads.times += 1
    return promise
  })
  return { Late, loads, arrive }
}

it('a preloaded component renders immediately', async () => {
  const { Late, loads, arrive } = counterToCome()
  arrive()
  await Late.prepare()
  render(
    <Suspense fallback="waiting">
      <Late name="clicks" />
    </Suspense>,
  )
  expect(screen.getByRole('button').textContent).toBe('clicks 0')
  expect(loads.times).toBe(1)
})

it('a component without loaded code loads it on render, and keeps its state when the code arrives', async () => {
  const { Late, arrive } = counterToCome()
  const drawn = (name: string) => (
    <Suspense fallback="waiting">
      <Late name={name} />
    </Suspense>
  )
  const { rerender } = render(drawn('clicks'))
  expect(screen.queryByText('waiting')).not.toBeNull()
  arrive()
  fireEvent.click(await screen.findByRole('button'))
  rerender(drawn('still'))
  expect(screen.getByRole('button').textContent).toBe('still 1')
})
