import { ShieldX } from 'lucide-react'
import { useRef, useState } from 'react'
import type { FileRow } from '#core/statement/read-rows.ts'
import { Card } from '#ui/card.tsx'
import { MoneyText } from '#ui/figures.tsx'
import { Link } from '#ui/link.tsx'
import { Pager } from '#ui/pager.tsx'
import { SumRow } from '#ui/sum-row.tsx'
import { t } from '#web/i18n/t.ts'
import { pagerLabels } from '#web/lists/pager-labels.ts'
import { statementVerdict } from '#web/statements/statement-verdict.ts'
import { KeyLine } from '#web/screens/check/key-line.tsx'
import { VerdictBox } from '#web/screens/check/verdict-box.tsx'
import type { CheckedStatement as Checked } from '#web/statements/check-statement-file.ts'

const PER_PAGE = 50

/** The findings about a signed statement: the verdict, its sums and its rows. */
export function CheckedStatement({ checked }: { checked: Checked }) {
  const { facts, rows, faults, faultyRows, kid } = checked.check
  return (
    <>
      <VerdictBox isFaultless={faults.length === 0} lines={statementVerdict(checked)} />
      {facts !== null && (
        <Card className="mt-3">
          <p className="text-small">
            {t('statement.account', { uid: facts.uid })} · <bdi dir="ltr">{facts.zone}</bdi>
          </p>
          <dl className="mt-2 flex flex-col gap-2">
            <SumRow label={t('statement.opening')}>
              <MoneyText amount={facts.sums.opening} />
            </SumRow>
            <SumRow label={t('statement.closing')} strong>
              <MoneyText amount={facts.sums.closing} />
            </SumRow>
          </dl>
          <p className="mt-2 text-label text-fg-2">{t('statement.not_proven')}</p>
          {kid !== null && <KeyLine kid={kid} />}
        </Card>
      )}
      {rows !== null && rows.length > 0 && <Rows rows={rows} faulty={faultyRows} />}
    </>
  )
}

function Rows({ rows, faulty }: { rows: readonly FileRow[]; faulty: ReadonlySet<number> }) {
  // The first page with a fault is shown first.
  const [firstFault = 0] = faulty
  const [page, setPage] = useState(1 + Math.floor(firstFault / PER_PAGE))
  const begins = (page - 1) * PER_PAGE
  const top = useRef<HTMLUListElement>(null)
  return (
    <>
      <ul
        ref={top}
        tabIndex={-1}
        aria-label={t('statement.rows')}
        className="mt-3 flex scroll-mt-20 flex-col gap-2 outline-none"
      >
        {rows.slice(begins, begins + PER_PAGE).map((row, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a changed file can repeat a number
          <li key={begins + at}>
            <Card padded={false} className="px-4 py-3">
              {faulty.has(begins + at) && (
                <p className="mb-1 flex items-center gap-1.5 text-label font-semibold text-danger">
                  <ShieldX size={16} aria-hidden="true" />
                  {t('statement.row_differs')}
                </p>
              )}
              <p className="flex items-baseline justify-between gap-3 text-small">
                <span className="font-semibold">{t(`statement.kind_${row.kind}`)}</span>
                <MoneyText amount={row.amount} plus className="font-semibold" />
              </p>
              <p className="flex flex-wrap justify-between gap-x-3 text-caption text-fg-2">
                <span dir="ltr">{row.atLocal}</span>
                {row.order === null ? (
                  <span dir="ltr" className="mono break-all">
                    {row.reference}
                  </span>
                ) : (
                  <Link
                    href={`/check/${encodeURIComponent(row.reference)}`}
                    className="hit mono text-brand underline-offset-4 hover:underline"
                  >
                    <span dir="ltr">{row.reference}</span>
                  </Link>
                )}
              </p>
              {row.words !== '' && (
                <p dir="auto" className="mt-1 text-label break-words whitespace-pre-line">
                  {row.words}
                </p>
              )}
            </Card>
          </li>
        ))}
      </ul>
      <Pager
        page={page}
        pageCount={Math.ceil(rows.length / PER_PAGE)}
        onChange={setPage}
        labels={pagerLabels()}
        listTop={top}
      />
    </>
  )
}
