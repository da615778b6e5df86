import { useForm } from 'react-hook-form'
import type { SplitRow } from '#contract/back-office/splits.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { OutcomePill } from '#ui/pill.tsx'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange, useStaffList } from '#back-office/api/queries.ts'
import { Block } from '#back-office/detail/facts.tsx'
import { ChangedMeanwhile } from '#back-office/forms/changed-meanwhile.tsx'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { plainNumber } from '#back-office/forms/plain-number.ts'
import { useEdited } from '#back-office/forms/use-edited.ts'
import { time } from '#back-office/i18n/format.ts'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'
import { useTermsState } from '#back-office/terms/use-announce-terms.ts'

const OUTCOME = { coming: 'pending', 'in-force': 'success', replaced: 'cancelled', withdrawn: 'cancelled' } as const

/** The announced splits of a stock, and the form to announce one. */
export function SymbolSplits({ code }: { code: string }) {
  const splits = useStaffList(staffCalls.staffSplits, { code })
  const mayEdit = useMay('markets.edit')
  if (splits.rows === undefined) return null
  return (
    <>
      <Block title={t('markets.splits')}>
        {splits.rows.length === 0 && <p className="text-fg-3">{t('markets.splits_none')}</p>}
        <ul>
          {splits.rows.map((row) => (
            <li
              key={`${row.trading_day} ${row.version}`}
              className="flex items-center justify-between gap-3 border-b border-line py-2"
            >
              <span className="min-w-0">
                <span className="num block font-list">
                  {ratioText(row)} · {row.trading_day}
                </span>
                <span className="block truncate text-caption text-fg-3">
                  {row.source}
                  {row.who !== '' && ` · ${t('markets.by', { name: row.who })}`}
                </span>
              </span>
              <OutcomePill outcome={OUTCOME[row.state]}>{t(`markets.state_${row.state}`)}</OutcomePill>
            </li>
          ))}
        </ul>
      </Block>
      {mayEdit && <AnnounceSplit code={code} rows={splits.rows} />}
    </>
  )
}

interface Values {
  trading_day: string
  new_shares: string
  old_shares: string
  source: string
}

const EMPTY: Values = { trading_day: '', new_shares: '', old_shares: '1', source: '' }
const emptyValues = () => EMPTY

function AnnounceSplit({ code, rows }: { code: string; rows: readonly SplitRow[] }) {
  const toast = useToast()
  const terms = useTermsState()
  const form = useForm<Values>({ defaultValues: EMPTY })
  // Each announcement raises the version of one trading day, so the sum of the versions tells whether the list is newer.
  const version = rows.reduce((sum, row) => sum + row.version, 0)
  const { base, isOld, reload } = useEdited({ rows, version }, form, emptyValues)
  const announce = useStaffChange(staffCalls.staffAnnounceSplit)
  const { errors, isSubmitting, isDirty } = form.formState
  const needed = { required: t('markets.needed') }
  const submit = form.handleSubmit((values) =>
    setFormErrors(form, async () => {
      const [newShares, oldShares] = [plainNumber(values.new_shares), plainNumber(values.old_shares)]
      const seen = base.rows.filter((row) => row.trading_day === values.trading_day).map(({ version }) => version)
      const { effective_at: at } = await announce.mutateAsync({
        params: { code },
        body: {
          split_version: Math.max(0, ...seen),
          trading_day: values.trading_day,
          new_shares: newShares,
          old_shares: oldShares,
          source: values.source.trim(),
        },
      })
      form.reset()
      const isWithdrawn = newShares === oldShares
      const ratio = t('markets.split_ratio', { new: newShares, old: oldShares })
      const text = isWithdrawn ? t('markets.withdrew_split') : t('markets.announced_split', { ratio, time: time(at) })
      toast({ tone: 'success', text })
    }),
  )
  return (
    <Block title={t('markets.announce_split')}>
      <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
        <ChangedMeanwhile isOld={isOld && isDirty && !isSubmitting} reload={reload} />
        <FormFailure form={form} />
        <p className="text-fg-2">
          {t('markets.announce_split_text', {
            seconds: terms.data === undefined ? '–' : terms.data.notice_ms / SECOND_MS,
          })}
        </p>
        <Field
          label={t('markets.split_day')}
          hint={t('markets.split_day_hint')}
          type="date"
          error={errors.trading_day?.message}
          {...form.register('trading_day', needed)}
        />
        <div className="grid grid-cols-2 gap-3">
          <Field
            label={t('markets.split_new')}
            inputMode="numeric"
            error={errors.new_shares?.message}
            {...form.register('new_shares', needed)}
          />
          <Field
            label={t('markets.split_old')}
            inputMode="numeric"
            error={errors.old_shares?.message}
            {...form.register('old_shares', needed)}
          />
        </div>
        <p className="text-caption text-fg-3">{t('markets.split_shares_hint')}</p>
        <Field
          label={t('markets.split_source')}
          hint={t('markets.split_source_hint')}
          error={errors.source?.message}
          {...form.register('source', needed)}
        />
        <Button type="submit" size="m" loading={isSubmitting}>
          {t('markets.announce_split')}
        </Button>
      </form>
    </Block>
  )
}

function ratioText({ state, new_shares: newShares, old_shares: oldShares }: SplitRow): string {
  if (state === 'withdrawn') return t('markets.split_withdrawn_ratio')
  return t('markets.split_ratio', { new: newShares, old: oldShares })
}
