import { type ReceiptFacts, isResult } from '#core/proof/receipt-facts.ts'
import type { SaleFacts } from '#core/proof/sale-facts.ts'
import { Card, SectionLabel } from '#ui/card.tsx'
import { fullDayText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'

/**
 * The rule that decided the order, the hash of the tick log to which it was applied, and the keys that verified the
 * signatures.
 */
export function HowDecided({
  facts,
  sale,
  kids,
}: {
  facts: ReceiptFacts
  sale: SaleFacts | null
  kids: readonly string[]
}) {
  const isVoid = isResult(facts) && facts.void !== null
  const rule = isVoid ? 'check.rule_void' : facts.direction === 'buy' ? 'check.rule_buy' : 'check.rule_sell'
  const { hash } = sale?.decided_head ?? (isResult(facts) ? facts.decided_head : facts.head)
  return (
    <section>
      <SectionLabel>{t('check.how')}</SectionLabel>
      <Card className="text-small">
        {/* The rule for expiries does not apply to a sale, and the verdict names the price of the sale. */}
        {sale === null && <p className="mb-3 border-b border-line pb-3 text-fg-2">{t(rule)}</p>}
        <dl className="flex flex-col gap-2">
          <Row label={t('check.log', { day: fullDayText(facts.expires_ms) })} value={`sha256 ${hash}`} />
          {kids.map((kid) => (
            <Row key={kid} label={t('check.key')} value={kid} />
          ))}
        </dl>
      </Card>
    </section>
  )
}

/** Shows the complete value, so that it can be compared with a copy. */
function Row({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-label text-fg-2">{label}</dt>
      <dd dir="ltr" className="mono text-caption break-all rtl:text-right">
        {value}
      </dd>
    </div>
  )
}
