import ShieldCheck from 'lucide-react/icons/shield-check'
import ShieldX from 'lucide-react/icons/shield-x'
import type { BundleCheck, BundleFault } from '#core/proof/check-bundle.ts'
import { cx } from '#ui/cx.ts'
import { groupedNumber } from '#ui/format.ts'
import { type MessageKey, t } from '#web/i18n/t.ts'
import { headlineText, RECOMPUTED } from '#web/screens/check/verdict-text.ts'

const FAULTS: Readonly<Record<BundleFault, MessageKey>> = {
  form: 'check.fault_form',
  root: 'check.fault_root',
  owner: 'check.fault_owner',
  times: 'check.fault_times',
  clock: 'check.fault_clock',
  log: 'check.fault_log',
  log_short: 'check.fault_log_short',
  head: 'check.fault_head',
  entry: 'check.fault_entry',
  exit: 'check.fault_exit',
  next: 'check.fault_exit',
  price: 'check.fault_result',
  result: 'check.fault_result',
  signature_form: 'check.fault_signature',
  signature: 'check.fault_signature',
  key_unknown: 'check.fault_key_unknown',
  key_retired: 'check.fault_key_retired',
  terms: 'check.fault_terms',
  hole: 'check.fault_hole',
  line: 'check.fault_line',
  withheld: 'check.fault_withheld',
  amended: 'check.fault_amended',
  terms_unknown: 'check.fault_terms_unknown',
}

/** The verdict at the top of the page. A mismatch is an alert, so it interrupts screen readers. */
export function Verdict({ check, areKeysOwn }: { check: BundleCheck; areKeysOwn: boolean }) {
  const fits = check.faults.length === 0
  const Icon = fits ? ShieldCheck : ShieldX
  return (
    <div
      role={fits ? 'status' : 'alert'}
      className={cx(
        'flex items-start gap-4 rounded-[16px] p-5',
        fits ? 'bg-ink text-on-ink' : 'bg-(--red-solid) text-white',
      )}
    >
      <Icon
        size={36}
        strokeWidth={1.5}
        className={cx('mt-0.5 shrink-0', fits && 'text-ink-brand')}
        aria-hidden="true"
      />
      <div className="min-w-0 flex-1">
        <h2 className="text-heading">{fits ? headlineText(check) : t('check.differs')}</h2>
        <div className={cx('mt-0.5 text-small', fits && 'text-on-ink-2')}>
          {fits ? (
            <>
              <p>{t(check.facts?.kind === 'result' ? 'check.matches' : 'check.running_text')}</p>
              {check.amended && <p className="mt-1">{t('check.amended', { percent: check.amended.paid / 100 })}</p>}
            </>
          ) : (
            <Faults check={check} />
          )}
          {areKeysOwn && <p className="mt-1">{t('check.keys_own')}</p>}
        </div>
      </div>
    </div>
  )
}

function Faults({ check }: { check: BundleCheck }) {
  const { facts, faults, recomputed, logFault } = check
  const place = groupedNumber(String(logFault?.seq ?? 0))
  // Two faults can have the same text.
  const lines = new Set(faults.map((fault) => t(FAULTS[fault], { place })))
  return (
    <>
      {facts?.kind === 'result' && recomputed !== null && recomputed !== facts.result && (
        <p className="font-semibold">{t(RECOMPUTED[recomputed])}</p>
      )}
      <ul className="mt-1 flex list-disc flex-col gap-1 ps-4">
        {[...lines].map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <p className="mt-2">{t('check.differs_text')}</p>
    </>
  )
}
