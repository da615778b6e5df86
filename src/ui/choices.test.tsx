// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { Chips } from '#ui/chips.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { TabPanel, Tabs } from '#ui/tabs.tsx'

afterEach(() => {
  cleanup()
  document.body.style.direction = ''
})

const OPTIONS = [
  { value: 'crypto', label: 'Crypto' },
  { value: 'us_stocks', label: 'US stocks' },
  { value: 'us_fx', label: 'Forex' },
]

function Category() {
  const [value, setValue] = useState('crypto')
  return <Segmented label="Category" options={OPTIONS} value={value} onChange={setValue} />
}

function Lists() {
  const [value, setValue] = useState('crypto')
  return (
    <>
      <Tabs id="lists" label="Lists" tabs={OPTIONS} value={value} onChange={setValue} />
      <TabPanel id="lists" value={value}>
        shows {value}
      </TabPanel>
    </>
  )
}

describe('Segmented', () => {
  it('Segmented selects by press and by arrow keys, as a radio group', async () => {
    const user = userEvent.setup()
    render(<Category />)
    expect(screen.getByRole('radiogroup', { name: 'Category' })).toBeTruthy()

    await user.click(screen.getByRole('radio', { name: 'US stocks' }))
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'US stocks' }).checked).toBe(true)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Crypto' }).checked).toBe(false)

    await user.keyboard('{ArrowRight}')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Forex' }).checked).toBe(true)
  })
})

describe('Chips', () => {
  it('a row of chips allows no selection, and ignores presses on a disabled chip', async () => {
    const chosen: string[] = []
    const user = userEvent.setup()
    render(
      <Chips
        label="Expiry"
        look="tall"
        value={null}
        onChange={(value) => chosen.push(value)}
        options={[
          { value: '1m', label: '1 min', detail: '80%' },
          { value: '1d', label: '1 day', detail: 'closes first', disabled: true },
        ]}
      />,
    )
    expect(screen.queryAllByRole<HTMLInputElement>('radio').filter((radio) => radio.checked)).toEqual([])
    await user.click(screen.getByRole('radio', { name: /1 day/ }))
    await user.click(screen.getByRole('radio', { name: /1 min/ }))
    expect(chosen).toEqual(['1m'])
  })
})

describe('Tabs', () => {
  it('the tab list moves by arrow keys with wrapping, Home and End, and Tab reaches only the selected tab', async () => {
    const user = userEvent.setup()
    render(<Lists />)
    await user.tab()
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Crypto' }))

    await user.keyboard('{ArrowLeft}')
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Forex')
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Forex' }))
    await user.keyboard('{Home}{ArrowRight}')
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('US stocks')
    await user.keyboard('{End}')
    expect(screen.getByRole('tabpanel', { name: 'Forex' }).textContent).toBe('shows us_fx')
    expect(screen.getAllByRole('tab').filter((tab) => tab.tabIndex === 0)).toHaveLength(1)
  })

  it('the tab list swaps left and right in right-to-left pages', async () => {
    document.body.style.direction = 'rtl'
    const user = userEvent.setup()
    render(<Lists />)
    await user.tab()
    await user.keyboard('{ArrowLeft}')
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('US stocks')
  })
})
