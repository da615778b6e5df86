// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { AmountField } from '#ui/amount-field.tsx'
import { Field } from '#ui/field.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { PinField } from '#ui/pin-field.tsx'

afterEach(cleanup)

describe('Field', () => {
  it('the label names the input, and hint and error describe it', () => {
    render(<Field label="Username" hint="4 or more characters" error="This name is taken" />)
    const input = screen.getByLabelText('Username')
    const described = (input.getAttribute('aria-describedby') ?? '').split(' ')
    expect(described.map((id) => document.querySelector(`[id="${id}"]`)?.textContent)).toEqual([
      'This name is taken',
      '4 or more characters',
    ])
    expect(input.getAttribute('aria-invalid')).toBe('true')
  })

  it.each(['numeric', 'decimal', 'tel'] as const)(
    'F4: reads digits of other scripts in a %s field',
    async (inputMode) => {
      const seen: string[] = []
      render(<Field label="Number" inputMode={inputMode} onChange={(event) => seen.push(event.target.value)} />)
      await userEvent.click(screen.getByLabelText('Number'))
      await userEvent.paste('٢۵５')
      expect(seen).toEqual(['255'])
    },
  )

  it('F4: a field for text keeps the typed digits of other scripts', async () => {
    render(<Field label="Name" />)
    await userEvent.click(screen.getByLabelText('Name'))
    await userEvent.paste('٢٥')
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('٢٥')
  })

  it('an input without error and hint is neither described nor invalid', () => {
    render(<Field label="Username" />)
    const input = screen.getByLabelText('Username')
    expect(input.hasAttribute('aria-describedby')).toBe(false)
    expect(input.hasAttribute('aria-invalid')).toBe(false)
  })
})

describe('PasswordField', () => {
  it('PasswordField shows and hides the typed password', async () => {
    const user = userEvent.setup()
    render(<PasswordField label="Password" showLabel="Show password" hideLabel="Hide password" />)
    const input = screen.getByLabelText('Password')
    expect(input.getAttribute('type')).toBe('password')
    await user.click(screen.getByRole('button', { name: 'Show password' }))
    expect(input.getAttribute('type')).toBe('text')
    await user.click(screen.getByRole('button', { name: 'Hide password' }))
    expect(input.getAttribute('type')).toBe('password')
  })
})

describe('PinField', () => {
  function Pin({ onComplete }: { onComplete: (value: string) => void }) {
    const [value, setValue] = useState('')
    return <PinField label="PIN" value={value} onChange={setValue} onComplete={onComplete} />
  }

  it('PinField accepts digits only, calls onComplete once, and accepts a pasted code with spaces', async () => {
    const completed: string[] = []
    const user = userEvent.setup()
    render(<Pin onComplete={(value) => completed.push(value)} />)
    const input = screen.getByLabelText<HTMLInputElement>('PIN')
    await user.type(input, '12a4')
    expect(input.value).toBe('124')
    await user.type(input, '789')
    expect(completed).toEqual(['124789'])

    await user.clear(input)
    await user.click(input)
    await user.paste('482 113')
    expect(input.value).toBe('482113')
    expect(completed).toEqual(['124789', '482113'])
  })

  it('F4: PinField reads digits of other scripts', async () => {
    const completed: string[] = []
    const user = userEvent.setup()
    render(<Pin onComplete={(value) => completed.push(value)} />)
    await user.click(screen.getByLabelText('PIN'))
    await user.paste('٤٨٢١١٣')
    expect(completed).toEqual(['482113'])
  })
})

describe('AmountField', () => {
  function Stake() {
    const [value, setValue] = useState('')
    return <AmountField label="Stake" value={value} onChange={setValue} />
  }

  it('VA15: AmountField accepts digits and separators of amounts, and no letters', async () => {
    const user = userEvent.setup()
    render(<Stake />)
    const input = screen.getByLabelText<HTMLInputElement>('Stake')
    await user.type(input, '1x2.345')
    expect(input.value).toBe('12.345')
  })

  it('F3: AmountField keeps a pasted amount unchanged', async () => {
    const user = userEvent.setup()
    render(<Stake />)
    const input = screen.getByLabelText<HTMLInputElement>('Stake')
    await user.click(input)
    await user.paste('$0,125')
    expect(input.value).toBe('0,125')
  })

  it('F4: AmountField reads digits of other scripts', async () => {
    const user = userEvent.setup()
    render(<Stake />)
    const input = screen.getByLabelText<HTMLInputElement>('Stake')
    for (const [typed, shown] of [
      ['٢٥', '25'],
      ['۲۵', '25'],
      ['２５', '25'],
    ] as const) {
      await user.clear(input)
      await user.click(input)
      await user.paste(typed)
      expect(input.value).toBe(shown)
    }
  })

  it.each(['+25', '-25', '1_000', '1e3'])('F3: AmountField keeps the pasted text %s, to explain it', async (text) => {
    const user = userEvent.setup()
    render(<Stake />)
    const input = screen.getByLabelText<HTMLInputElement>('Stake')
    await user.click(input)
    await user.paste(text)
    expect(input.value).toBe(text)
    await user.type(input, '{Backspace}{Backspace}5')
    expect(input.value).toBe(`${text.slice(0, -2)}5`)
  })
})
