import { useState } from 'react'
import type { BreakOut } from '#contract/profile.ts'
import { BREAK_LENGTHS, breakEnd, type BreakKind } from '#core/accounts/self-limits.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Field } from '#ui/field.tsx'
import { call } from '#web/api/call.ts'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { dayAndTimeText, fullDayText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { serverNowMs, useIsDemo } from '#web/site/settings.ts'
import { refreshUser } from '#web/site/refresh-user.ts'

interface BreakCardProps {
  own: BreakOut
  onDone: () => void
}

/** Explains breaks and offers both kinds, and the return to trading after an exclusion has ended. */
export function BreakCard({ own, onDone }: BreakCardProps) {
  const isDemo = useIsDemo()
  const done = () => {
    void refreshUser()
    onDone()
  }
  return (
    <Card>
      <p className="text-small text-fg-2">
        {t('limits.break_hint')} {t('limits.break_final')} {isDemo && t('limits.demo_holds')}
      </p>
      {own !== null && own.state !== 'on' && <Return own={own} onDone={done} />}
      {own?.state === 'on' && (
        <output className="mt-4 block font-list">
          {t('shell.on_break', { date: dayAndTimeText(Date.parse(own.until)) })}
        </output>
      )}
      {own !== null && own.words !== null && (
        <p dir="auto" className="mt-2 text-small break-words text-fg-2">
          {t('limits.by_staff', { words: own.words })}
        </p>
      )}
      {/* The keys reset both forms after a new break has begun. */}
      <BreakForm key={`time_out ${own?.until}`} kind="time_out" onDone={done} />
      <BreakForm key={`exclusion ${own?.until}`} kind="exclusion" onDone={done} />
    </Card>
  )
}

function Return({ own, onDone }: { own: NonNullable<BreakOut>; onDone: () => void }) {
  const isRequested = own.ready_at !== null
  const isReady = own.ready_at !== null && Date.parse(own.ready_at) <= serverNowMs()
  const form = useForm({
    initial: {},
    validate: () => ({}),
    submit: async () => {
      await call(isRequested ? 'POST /user/breaks/return/confirm' : 'POST /user/breaks/return')
      onDone()
    },
  })
  return (
    <form onSubmit={form.onSubmit} className="mt-4 flex flex-col gap-2">
      <FormFailure messages={form.failure} />
      <p className="text-small">
        {own.ready_at === null
          ? t('shell.over_break')
          : t('limits.returning', { time: dayAndTimeText(Date.parse(own.ready_at)) })}
      </p>
      <Button type="submit" size="m" variant="secondary" disabled={isRequested && !isReady} loading={form.busy}>
        {isRequested ? t('limits.confirm_return') : t('limits.ask_return')}
      </Button>
    </form>
  )
}

function BreakForm({ kind, onDone }: { kind: BreakKind; onDone: () => void }) {
  const [isUnderstood, setIsUnderstood] = useState(false)
  const { min, max } = BREAK_LENGTHS[kind]
  const form = useForm({
    initial: { length: '' },
    validate: ({ length }) => ({ length: lengthOf(length) === null ? t(`limits.${UNIT[kind]}`) : undefined }),
    submit: async (values) => {
      const length = lengthOf(values.length) ?? 0
      if (kind === 'time_out') await call('POST /user/breaks/time-out', { body: { days: length } })
      else await call('POST /user/breaks/exclusion', { body: { months: length, understood: true } })
      onDone()
    },
  })
  function lengthOf(typed: string): number | null {
    const length = Number(typed)
    return /^\d{1,2}$/.test(typed) && length >= min && length <= max ? length : null
  }
  const length = lengthOf(form.values.length)
  return (
    <form onSubmit={form.onSubmit} noValidate className="mt-5 flex flex-col gap-2 border-t border-line pt-4">
      <h3 className="font-list">{t(`limits.${kind}`)}</h3>
      <p className="text-label text-fg-2">{t(`limits.${kind}_hint`)}</p>
      <FormFailure messages={form.failure} />
      <Field
        {...form.field('length')}
        label={t(`limits.${UNIT[kind]}`)}
        inputMode="numeric"
        autoComplete="off"
        maxLength={2}
        ltr
      />
      {length !== null && (
        <>
          <Checkbox checked={isUnderstood} onChange={(event) => setIsUnderstood(event.target.checked)}>
            {t('limits.understood')}
          </Checkbox>
          <Button type="submit" variant="secondary" disabled={!isUnderstood} loading={form.busy}>
            {t('limits.stop', { date: fullDayText(breakEnd(kind, length, serverNowMs())) })}
          </Button>
        </>
      )}
    </form>
  )
}

const UNIT = { time_out: 'days', exclusion: 'months' } as const
