import type { RuleChange } from '#web/limits/limit-text.ts'
import { OptionList } from '#ui/option-list.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { useToast } from '#ui/toast.tsx'
import { call } from '#web/api/call.ts'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#ui/button.tsx'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'

interface ChoiceSheetProps {
  title: string
  /** Explains when a stricter and when a looser value takes effect. */
  hint: string
  /** The values that can be chosen, as text. */
  options: readonly { value: string; label: string }[]
  value: string
  change: (value: string) => RuleChange
  open: boolean
  onClose: () => void
  onDone: () => void
}

/** Changes a rule that has a few values: the interval of the reality check, or the withdrawal lock. */
export function ChoiceSheet(props: ChoiceSheetProps) {
  const { title, hint, options, value, change, open, onClose, onDone } = props
  const toast = useToast()
  const form = useForm({
    initial: { value },
    validate: () => ({}),
    submit: async (values) => {
      const { data } = await call('POST /user/limits', { body: { changes: [change(values.value)] } })
      const readyAt = data.outcomes[0]?.ready_at ?? null
      const text =
        readyAt === null ? t('limits.saved') : t('limits.asked', { time: dayAndTimeText(Date.parse(readyAt)) })
      toast({ tone: 'success', text })
      onDone()
      onClose()
    },
  })
  return (
    <Sheet open={open} onClose={onClose} title={title} closeLabel={t('common.close')}>
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-3">
        <FormFailure messages={form.failure} />
        <OptionList
          label={title}
          options={options}
          value={form.values.value}
          onChange={(next) => form.set('value', next)}
        />
        <p className="px-0.5 text-small text-fg-2">{hint}</p>
        <Button type="submit" loading={form.busy}>
          {t('limits.save')}
        </Button>
      </form>
    </Sheet>
  )
}
