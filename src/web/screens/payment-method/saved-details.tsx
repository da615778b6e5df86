import type { Reply } from '#web/api/call.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { t } from '#web/i18n/t.ts'

interface SavedDetailsProps {
  fields: Reply<'GET /user/withdrawals/user-withdrawals/:id'>['withdrawal_information']
  onEdit: () => void
}

/** The user's saved details for a method, read-only. */
export function SavedDetails({ fields, onEdit }: SavedDetailsProps) {
  return (
    <Card className="mt-3">
      <dl className="flex flex-col gap-3">
        {fields.map(({ name, label, value }) => (
          <div key={name}>
            <dt className="text-label text-fg-3">{label}</dt>
            <dd dir="auto" className="font-semibold break-words">
              {value === '' ? t('payment_method.not_given') : value}
            </dd>
          </div>
        ))}
      </dl>
      <Button variant="secondary" size="m" onClick={onEdit} className="mt-4">
        {t('payment_method.edit')}
      </Button>
    </Card>
  )
}
