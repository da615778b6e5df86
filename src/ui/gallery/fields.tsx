import Check from 'lucide-react/icons/check'
import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { CodeField } from '#ui/code-field.tsx'
import { Field } from '#ui/field.tsx'
import { Link } from '#ui/link.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { PinField } from '#ui/pin-field.tsx'
import { Select } from '#ui/select.tsx'
import { Block } from '#ui/gallery/block.tsx'

/** Fields of forms. */
export function Fields() {
  const [pin, setPin] = useState('123')
  return (
    <Block title="Fields">
      <Field label="Username" defaultValue="alder_m" end={<Check size={20} strokeWidth={2.25} className="text-ok" />} />
      <div className="flex gap-2">
        <Select
          label="Code"
          ltr
          defaultValue="44"
          onChange={() => undefined}
          className="w-28"
          options={[
            { value: '44', label: '+44' },
            { value: '49', label: '+49' },
          ]}
        />
        <Field label="Phone number" ltr inputMode="tel" defaultValue="7700 900 142" className="flex-1" />
      </div>
      <Field label="Email (optional)" type="email" placeholder="The verification code goes here" />
      <PasswordField
        label="Password"
        showLabel="Show"
        hideLabel="Hide"
        defaultValue="correcthor"
        hint="6 - 20 characters"
      />
      <PasswordField
        label="Confirm password"
        showLabel="Show"
        hideLabel="Hide"
        defaultValue="correct"
        error="Passwords does not match"
      />
      <CodeField
        label="Verification code"
        defaultValue="482 113"
        action={
          <Button variant="quiet" size="s">
            Send again
          </Button>
        }
      />
      <PinField label="PIN" value={pin} onChange={setPin} />
      <Checkbox defaultChecked>
        I agree to the{' '}
        <Link href="#terms" className="font-semibold text-brand">
          terms and conditions
        </Link>
      </Checkbox>
      <Checkbox>Something not chosen</Checkbox>
    </Block>
  )
}
