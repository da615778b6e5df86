// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { Sheet } from '#ui/sheet.tsx'

afterEach(cleanup)

function Picker({ modal }: { modal: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Choose
      </button>
      <Sheet open={open} modal={modal} onClose={() => setOpen(false)} title="Choose a gateway" closeLabel="Close">
        <button type="button">Demo funds</button>
      </Sheet>
    </>
  )
}

describe.each([true, false])('Sheet, modal %s', (modal) => {
  it('a sheet opens with its title and returns the focus when closed', async () => {
    const user = userEvent.setup()
    render(<Picker modal={modal} />)
    expect(screen.queryByRole('dialog')).toBeNull()

    await user.click(screen.getByRole('button', { name: 'Choose' }))
    expect(screen.getByRole<HTMLDialogElement>('dialog', { name: 'Choose a gateway' }).open).toBe(true)

    await user.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Choose' }))
  })
})

describe('Tab', () => {
  it('Tab keeps the focus in an open sheet, even when the sheet is not modal', async () => {
    const user = userEvent.setup()
    render(<Picker modal={false} />)
    await user.click(screen.getByRole('button', { name: 'Choose' }))
    const [close, funds] = [
      screen.getByRole('button', { name: 'Close' }),
      screen.getByRole('button', { name: 'Demo funds' }),
    ]
    for (const [shift, focused] of [
      [false, close],
      [false, funds],
      [false, close],
      [true, funds],
      [true, close],
    ] as const) {
      await user.tab({ shift })
      expect(document.activeElement).toBe(focused)
    }
  })

  it('Shift+Tab leads back from the title to the last control', async () => {
    const user = userEvent.setup()
    render(<Picker modal={false} />)
    await user.click(screen.getByRole('button', { name: 'Choose' }))
    await user.tab({ shift: true })
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Demo funds' }))
  })
})

describe('Esc', () => {
  it('Esc closes a non-modal sheet that has the focus', async () => {
    const user = userEvent.setup()
    render(<Picker modal={false} />)
    await user.click(screen.getByRole('button', { name: 'Choose' }))
    screen.getByRole('button', { name: 'Demo funds' }).focus()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('Esc closes a modal sheet by the cancel event that browsers send', async () => {
    const user = userEvent.setup()
    render(<Picker modal />)
    await user.click(screen.getByRole('button', { name: 'Choose' }))
    screen.getByRole('dialog').dispatchEvent(new Event('cancel', { cancelable: true }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  })
})
