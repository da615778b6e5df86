import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { fieldLabel } from '#messages/back-office/field-label.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { SkeletonRows } from '#ui/states.tsx'
import { failureText, type StaffReply } from '#back-office/api/call-staff.ts'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'
import { money, time } from '#back-office/i18n/format.ts'
import { accountName } from '#back-office/i18n/plain-words.ts'
import { t } from '#back-office/i18n/t.ts'
import { LoadFailure } from '#back-office/list/load-failure.tsx'

/** 5 s between polls. The server announces the end of a check; polling covers a lost message. */
const EVERY_MS = 5_000

type Report = NonNullable<StaffReply<typeof staffCalls.staffLedger>['report']>

/** The result of the last check, with a button to start another one. */
export function LedgerReport() {
  const check = useStaffChange(staffCalls.staffCheckLedger)
  const ledger = useStaffQuery(staffCalls.staffLedger, {}, { everyMs: EVERY_MS })
  const isChecking = ledger.data?.is_checking === true
  const report = ledger.data?.report

  return (
    <section aria-label={t('ledger.check')} className="mx-4 rounded-card bg-surface-2 px-4 py-3.5 md:mx-6">
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1" aria-live="polite">
          {ledger.isPending && <SkeletonRows count={1} />}
          {ledger.isError && report === undefined && <LoadFailure query={ledger} />}
          {report === null && <p className="text-fg-2">{t('ledger.never')}</p>}
          {report && <Verdict report={report} />}
        </div>
        <Button variant="secondary" size="s" loading={check.isPending || isChecking} onClick={() => check.mutate({})}>
          {t('ledger.check_now')}
        </Button>
      </div>
      {check.error && (
        <Alert tone="danger" className="mt-3">
          {failureText(check.error)}
        </Alert>
      )}
      {report && <Accounts report={report} />}
      {report && !report.is_clean && <Mismatches report={report} />}
    </section>
  )
}

function Verdict({ report }: { report: Report }) {
  return (
    <>
      <b className={report.is_clean ? 'font-semibold text-ok' : 'font-semibold text-danger'}>
        {t(report.is_clean ? 'ledger.clean' : 'ledger.broken')}
      </b>
      <span className="num block text-caption text-fg-3">
        {t('ledger.counted', {
          transfers: report.transfers.toLocaleString('en-US'),
          users: report.users.toLocaleString('en-US'),
          orders: report.open_orders.toLocaleString('en-US'),
          time: time(report.checked_at),
        })}
      </span>
      {report.sums_until !== null && (
        <span className="num block text-caption text-fg-3">
          {t('ledger.by_sums', { until: time(report.sums_until), time: time(report.whole_at) })}
        </span>
      )}
    </>
  )
}

function Accounts({ report }: { report: Report }) {
  return (
    <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-3 xl:grid-cols-5">
      {report.accounts.map(({ account, total }) => (
        <div key={account} className="min-w-0">
          <dt className="truncate text-caption text-fg-3">{accountName(account)}</dt>
          <dd className="num font-semibold">{money(total)}</dd>
        </div>
      ))}
      <div>
        <dt className="text-caption text-fg-3">{t('ledger.sum')}</dt>
        <dd className="num font-semibold">{money(report.sum_of_all)}</dd>
      </div>
    </dl>
  )
}

function Mismatches({ report }: { report: Report }) {
  return (
    <ul className="mt-3 flex flex-col gap-1">
      {report.unknown_accounts.map((account) => (
        <li key={account} className="text-danger">
          {t('ledger.unknown_account', { account })}
        </li>
      ))}
      {report.mismatches.map(({ user_id: userId, what, cached, counted }) => (
        <li key={`${userId} ${what}`} className="num text-danger">
          <span className="mono">{userId}</span> {t('ledger.mismatch', { what: fieldLabel(what), cached, counted })}
        </li>
      ))}
    </ul>
  )
}
