import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import type { FileRow } from '#core/statement/read-rows.ts'
import type { StatementFacts } from '#core/statement/statement-facts.ts'
import { STATEMENT_PARTS } from '#core/statement/statement-sums.ts'
import { money } from '#core/money/money.ts'
import { formatMoney } from '#ui/format.ts'
import { t } from '#web/i18n/t.ts'
import { rowText } from '#web/screens/statement/row-text.ts'
import { statementVerdict } from '#web/statements/statement-verdict.ts'
import type { CheckedStatement } from '#web/statements/check-statement-file.ts'
import { useSettings } from '#web/site/settings.ts'

interface PrintSheetProps {
  checked: CheckedStatement
  onDone: () => void
}

/**
 * The printed form of the statement, outside the app's frame. Opens the print dialog and calls `onDone` after printing.
 */
export function PrintSheet({ checked, onDone }: PrintSheetProps) {
  useEffect(() => {
    globalThis.addEventListener('afterprint', onDone)
    globalThis.print?.()
    return () => globalThis.removeEventListener('afterprint', onDone)
  }, [onDone])
  const { facts, rows } = checked.check
  return createPortal(
    <div className="print-sheet">
      {facts !== null && <Head facts={facts} />}
      {rows !== null && <Rows rows={rows} />}
      {statementVerdict(checked).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {facts !== null && (
        <p>
          {t('statement.hash')} <code dir="ltr">{facts.rows_sha256}</code>
        </p>
      )}
    </div>,
    document.body,
  )
}

function Head({ facts }: { facts: StatementFacts }) {
  const siteName = useSettings()?.site_name ?? ''
  const { sums, uid, zone, currency } = facts
  const day = (ms: number) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(ms)
  const lines = [
    { name: 'opening', amount: sums.opening },
    ...STATEMENT_PARTS.map((name) => ({ name, amount: isNegative(name) ? money(-sums[name]) : sums[name] })),
    { name: 'closing', amount: sums.closing },
  ] as const
  return (
    <>
      <h1>
        {siteName} · {t('screen.statement')}
      </h1>
      <p>
        {t('statement.account', { uid })} · <span dir="ltr">{`${day(facts.from_ms)} – ${day(facts.to_ms - 1)}`}</span> ·{' '}
        <span dir="ltr">{zone}</span> · {currency}
      </p>
      <dl>
        {lines.map(({ name, amount }) => (
          <div key={name}>
            <dt>{t(`statement.${name}`)}</dt>
            <dd dir="ltr">{formatMoney(amount, { symbol: '' })}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function isNegative(part: (typeof STATEMENT_PARTS)[number]): boolean {
  return part === 'withdrawals' || part === 'charges' || part === 'lost'
}

function Rows({ rows }: { rows: readonly FileRow[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th>{t('statement.time')}</th>
          <th>{t('statement.kind')}</th>
          <th>{t('statement.reference')}</th>
          <th>{t('statement.amount')}</th>
          <th>{t('statement.total')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ n, atLocal, kind, reference, words, amount, balance, order }) => {
          const text = rowText({ kind, words, voidReason: order?.voidReason })
          return (
            <tr key={n}>
              <td>
                <span dir="ltr">{atLocal.slice(0, 19).replace('T', ' ')}</span>
              </td>
              <td>
                {t(`statement.kind_${kind}`)} {order && <bdi>{order.symbol}</bdi>}
                {text !== '' && <div dir="auto">{text}</div>}
              </td>
              <td>
                <span dir="ltr">{reference}</span>
              </td>
              <td>
                <span dir="ltr">{formatMoney(amount, { plus: true, symbol: '' })}</span>
              </td>
              <td>
                <span dir="ltr">{formatMoney(balance, { symbol: '' })}</span>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
