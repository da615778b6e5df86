import { useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { SkeletonRows } from '#ui/states.tsx'
import type { StaffReply } from '#back-office/api/call-staff.ts'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { money, time } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'
import { ExcludeSheet } from '#back-office/pages/users/exclude-sheet.tsx'
import type { UserData } from '#back-office/pages/users/user-data.ts'
import { useMay } from '#back-office/session/staff.ts'
import { LoadFailure } from '#back-office/list/load-failure.tsx'

type Limits = StaffReply<typeof staffCalls.staffUserLimits>['limits']

const GROUPS = ['deposit', 'loss', 'staked'] as const
const PERIODS = ['day', 'week', 'month'] as const

/** The limits and the break that the user set. Staff can read them, and enter an exclusion that the user asked for. */
export function UserOwnLimits({ user }: { user: UserData }) {
  const [isExcluding, setExcluding] = useState(false)
  const mayExclude = useMay('users.exclude')
  const query = useStaffQuery(staffCalls.staffUserLimits, { params: { id: user.id } })
  return (
    <Card>
      <Block title={t('users.own_limits')}>
        {query.data ? (
          <Own limits={query.data.limits} />
        ) : query.isError ? (
          <LoadFailure query={query} />
        ) : (
          <div aria-busy="true">
            <SkeletonRows count={2} rowHeight={28} />
          </div>
        )}
      </Block>
      {mayExclude && (
        <Button variant="secondary" size="s" onClick={() => setExcluding(true)}>
          {t('users.exclude')}
        </Button>
      )}
      <ExcludeSheet open={isExcluding} onClose={() => setExcluding(false)} userId={user.id} />
    </Card>
  )
}

function Own({ limits }: { limits: Limits }) {
  const windows = GROUPS.flatMap((group) =>
    PERIODS.flatMap((period) => {
      const window = limits[group][period]
      return window === null ? [] : [{ group, period, window }]
    }),
  )
  const hasLimit = windows.length > 0 || limits.stake_max !== null
  return (
    <>
      {!hasLimit && <p className="py-1 text-fg-2">{t('users.own_limits_none')}</p>}
      <Facts>
        {windows.map(({ group, period, window }) => (
          <Fact key={`${group} ${period}`} name={`${t(`users.own_${group}`)} · ${t(`users.own_${period}`)}`}>
            {t('users.own_used', { used: money(window.used + window.open), value: money(window.value) })}
            <span className="block text-caption text-fg-3">{t('users.own_left', { left: money(window.left) })}</span>
          </Fact>
        ))}
        {limits.stake_max !== null && <Fact name={t('users.own_stake_max')}>{money(limits.stake_max)}</Fact>}
        <Fact name={t('users.own_reality')}>{valueText('reality_check', limits.reality.minutes)}</Fact>
        <Fact name={t('users.own_lock')}>{valueText('withdrawal_lock', limits.withdrawal_lock ? 1 : null)}</Fact>
        {limits.waiting.map(({ id, key, from, to, ready_at: readyAt }) => (
          <Fact key={id} name={`${t('users.own_limits_waiting')} · ${keyName(key)}`}>
            {t('users.own_change', { from: valueText(key, from), to: valueText(key, to), time: time(readyAt) })}
          </Fact>
        ))}
        <Fact name={t('users.own_break')}>
          {breakText(limits.break)}
          {limits.break?.words && (
            <span className="block text-caption break-words text-fg-2">
              {t('users.own_words', { words: limits.break.words })}
            </span>
          )}
        </Fact>
      </Facts>
    </>
  )
}

function keyName(key: Limits['waiting'][number]['key']): string {
  if (key === 'stake_max') return t('users.own_stake_max')
  if (key === 'reality_check') return t('users.own_reality')
  if (key === 'withdrawal_lock') return t('users.own_lock')
  const [group, period] = key.split('_') as [(typeof GROUPS)[number], (typeof PERIODS)[number]]
  return `${t(`users.own_${group}`)} · ${t(`users.own_${period}`)}`
}

function valueText(key: Limits['waiting'][number]['key'], value: number | null): string {
  if (key === 'withdrawal_lock') return value === null ? t('users.own_off') : t('users.own_on')
  if (value === null) return t('users.own_no_limit')
  return key === 'reality_check' ? t('users.own_minutes', { minutes: value }) : money(value)
}

function breakText(own: Limits['break']): string {
  if (own === null) return t('users.own_no_break')
  if (own.state !== 'on') return t('users.own_over')
  return t(own.kind === 'exclusion' ? 'users.own_exclusion' : 'users.own_time_out', { time: time(own.until) })
}
