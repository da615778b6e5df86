import { useState } from 'react'
import type { KeyRow } from '#contract/keys.ts'
import { Button } from '#ui/button.tsx'
import { formatCount, formatMoney } from '#ui/format.ts'
import { List, ListRow } from '#ui/list-row.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'

interface KeyRowsProps {
  keys: readonly KeyRow[]
  onEnd: (id: string) => void
}

/** The active API keys, each with a button that asks for confirmation before it revokes the key. */
export function KeyRows({ keys, onEnd }: KeyRowsProps) {
  const [ending, setEnding] = useState<KeyRow | null>(null)
  return (
    <>
      <List>
        {keys.map((key) => (
          <ListRow
            key={key.id}
            label={<bdi>{key.name}</bdi>}
            detail={<Details shown={key} />}
            end={
              <Button
                size="s"
                variant="quiet"
                aria-haspopup="dialog"
                aria-label={`${t('keys.end')}: ${key.name}`}
                onClick={() => setEnding(key)}
              >
                {t('keys.end')}
              </Button>
            }
          />
        ))}
      </List>
      <Sheet
        open={ending !== null}
        onClose={() => setEnding(null)}
        title={t('keys.end')}
        closeLabel={t('common.close')}
        footer={
          <Button
            variant="danger"
            wide
            onClick={() => {
              if (ending !== null) onEnd(ending.id)
              setEnding(null)
            }}
          >
            {t('keys.end')}
          </Button>
        }
      >
        <p className="text-fg-2">{t('keys.end_question', { name: ending?.name ?? '' })}</p>
      </Sheet>
    </>
  )
}

const time = (at: string) => ({ time: dayAndTimeText(Date.parse(at)) })

function capsText({ max_stake: stake, max_stake_day: day, max_open_orders: open }: KeyRow): string {
  const caps = [
    [t('keys.cap_stake'), stake === null ? null : formatMoney(moneyOf(stake))],
    [t('keys.cap_day'), day === null ? null : formatMoney(moneyOf(day))],
    [t('keys.cap_open'), open === null ? null : formatCount(open)],
  ] as const
  const own = caps.flatMap(([name, value]) => (value === null ? [] : [`${name}: \u2066${value}\u2069`]))
  return own.length === 0 ? t('keys.no_caps') : own.join(' · ')
}

function Details({ shown: key }: { shown: KeyRow }) {
  return (
    <>
      <span className="block">
        {t(key.scope === 'trade' ? 'keys.trade' : 'keys.read')} · {t('keys.orders_today', { count: key.orders_today })}
      </span>
      {key.scope === 'trade' && <span className="block">{capsText(key)}</span>}
      <span className="block">
        {key.addresses.length === 0 ? (
          t('keys.from_everywhere')
        ) : (
          <>
            {t('keys.addresses')}: <bdi dir="ltr">{key.addresses.join(', ')}</bdi>
          </>
        )}
      </span>
      <span className="block">
        {t('keys.made', time(key.created_at))} · {t('keys.ends', time(key.expires_at))}
      </span>
      <span className="block">
        {key.used_at === null ? t('keys.never_used') : t('keys.used', time(key.used_at))}
        {[key.used_address, key.used_client].map(
          (part) =>
            part !== null &&
            part !== '' && (
              <span key={part}>
                {' · '}
                <bdi>{part}</bdi>
              </span>
            ),
        )}
      </span>
    </>
  )
}
