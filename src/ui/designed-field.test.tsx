import { cleanup, fireEvent, render } from '@testing-library/react'
import * as fc from 'fast-check'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { MethodField } from '#core/wallet/form-definition.ts'
import { anAnswer, anyForm } from '#test/support/any-form.ts'
import { DesignedField } from '#ui/designed-field.tsx'

/** Renders fields designed by staff in the same way as both forms of the app. */
function Form({ fields, onChange }: { fields: readonly MethodField[]; onChange: (values: object) => void }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  return fields.map((field) => (
    <DesignedField
      key={field.name}
      field={field}
      name={`fields[${field.label}]`}
      label={field.label}
      value={values[field.label] ?? ''}
      onChange={(value) => {
        const next = { ...values, [field.label]: value }
        setValues(next)
        onChange(next)
      }}
      chooseLabel="Choose…"
    />
  ))
}

test('every valid form renders each field with its label and accepts values', () => {
  fc.assert(
    fc.property(anyForm('withdraw'), (fields) => {
      let seen: object = {}
      const { container } = render(<Form fields={fields} onChange={(values) => (seen = values)} />)
      const inputs = [...container.querySelectorAll<HTMLInputElement>('input, select, textarea')]
      expect(inputs.map((input) => input.name)).toEqual(fields.map(({ label }) => `fields[${label}]`))
      for (const [place, field] of fields.entries()) {
        const input = inputs[place]
        if (!input) continue
        expect(input.labels?.[0]?.textContent).toContain(field.label)
        if (field.type === 'checkbox') fireEvent.click(input)
        else fireEvent.change(input, { target: { value: anAnswer(field) } })
      }
      expect(seen).toEqual(Object.fromEntries(fields.map((field) => [field.label, anAnswer(field)])))
      cleanup()
    }),
    { numRuns: 40 },
  )
})
