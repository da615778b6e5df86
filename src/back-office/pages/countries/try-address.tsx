import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { PLACE_ACTIONS } from '#core/accounts/country-rules.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import type { StaffReply } from '#back-office/api/call-staff.ts'
import { useStaffChange } from '#back-office/api/queries.ts'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { t } from '#back-office/i18n/t.ts'

interface Tried {
  readonly address: string
  readonly reply: StaffReply<typeof staffCalls.staffTryAddress>
}

/** Shows what the table and the rules in force say about an address. */
export function TryAddress() {
  const form = useForm({ defaultValues: { address: '' } })
  const [tried, setTried] = useState<Tried | null>(null)
  const attempt = useStaffChange(staffCalls.staffTryAddress)
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit((body) =>
    setFormErrors(form, async () => {
      const reply = await attempt.mutateAsync({ body })
      setTried({ address: body.address, reply })
    }),
  )
  return (
    <section aria-labelledby="try" className="card p-5">
      <h2 id="try" className="pb-2 text-heading font-semibold">
        {t('countries.try')}
      </h2>
      <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
        <FormFailure form={form} />
        <Field
          label={t('countries.address')}
          ltr
          autoComplete="off"
          maxLength={60}
          error={errors.address?.message}
          {...form.register('address', { required: t('refusal.ip_address_invalid') })}
        />
        <Button type="submit" size="m" variant="secondary" loading={isSubmitting}>
          {t('countries.try_it')}
        </Button>
      </form>
      <output className="block">{tried && <Answer {...tried} />}</output>
    </section>
  )
}

function Answer({ reply, address }: Tried) {
  const { country, is_private: isPrivate } = reply
  return (
    <ul className="pt-3">
      <li className="font-semibold">
        {country === null
          ? t(isPrivate ? 'countries.result_private' : 'countries.result_unknown', { address })
          : t('countries.result_known', { address, country: country.name })}
      </li>
      {PLACE_ACTIONS.map((action) => (
        <li key={action}>
          {t('countries.result', { action: t(`countries.${action}`), verdict: t(`countries.${reply[action]}`) })}
        </li>
      ))}
    </ul>
  )
}
