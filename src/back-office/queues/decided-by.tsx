import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { time } from '#back-office/i18n/format.ts'
import { TwoLines } from '#back-office/queues/queue-cells.tsx'
import { t } from '#back-office/i18n/t.ts'

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
  const { first_by: first, decided_at: at } = row
  if (at === null) return null
  return (
    <Block title={t('queue.decision')}>
      <Facts>
        {first !== null && <Fact name={t('queue.first_by')}>{first}</Fact>}
        <Fact name={t('queue.decided_by')}>{deciderName(row)}</Fact>
        <Fact name={t('queue.decided_at')}>{`${time(at)} UTC`}</Fact>
      </Facts>
    </Block>
  )
}

/** The staff member who decided a payment, for a column of a queue. */
export function DeciderCell({ row }: DecidedByProps) {
  const { decided_at: at } = row
  if (at === null) return <span className="text-fg-3">–</span>
  return <TwoLines first={deciderName(row)} second={<span className="num">{time(at)}</span>} />
}

function deciderName({ state, decided_by: by }: DecidedByProps['row']): string {
  return by ?? t(state === 'cancelled' ? 'queue.by_user' : 'queue.by_nobody')
}
