import { Block, Fact, Facts } from '#admin/detail/facts.tsx'
import { time } from '#admin/format.ts'
import { t } from '#admin/t.ts'

interface DecidedByProps {
  row: {
    readonly state: string
    readonly first_by: string | null
    readonly decided_by: string | null
    readonly decided_at: string | null
  }
}

/** Who approved and who decided a payment, and when. */
export function DecidedBy({ row }: DecidedByProps) {
  const { state, first_by: first, decided_by: by, decided_at: at } = row
  if (at === null) return null
  return (
    <Block title={t('queue.decision')}>
      <Facts>
        {first !== null && <Fact name={t('queue.first_by')}>{first}</Fact>}
        <Fact name={t('queue.decided_by')}>{by ?? t(state === 'cancelled' ? 'queue.by_user' : 'queue.by_nobody')}</Fact>
        <Fact name={t('queue.decided_at')}>{`${time(at)} UTC`}</Fact>
      </Facts>
    </Block>
  )
}

/** Who decided a payment, for a column of a queue. */
export function DeciderCell({ row }: DecidedByProps) {
  const { state, decided_by: by, decided_at: at } = row
  if (at === null) return <span className="text-fg-3">–</span>
  return (
    <span className="block min-w-0">
      <span className="block truncate">{by ?? t(state === 'cancelled' ? 'queue.by_user' : 'queue.by_nobody')}</span>
      <span className="num block whitespace-nowrap text-caption text-fg-3">{time(at)}</span>
    </span>
  )
}
