import { isOfPractice, isResult } from '#core/proof/receipt-facts.ts'
import type { BundleCheck, BundleFault } from '#core/proof/check-bundle.ts'
import { cx } from '#ui/cx.ts'
import { groupedNumber } from '#ui/format.ts'
import { type MessageKey, t } from '#web/i18n/t.ts'
import { headlineText, RECOMPUTED, saleText } from '#web/screens/check/verdict-text.ts'
import { VerdictFrame } from '#web/screens/check/verdict-box.tsx'

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
  sale_tick: 'check.fault_sale_tick',
  sale_limits: 'check.fault_sale_limits',
  sale_value: 'check.fault_sale_value',
  sale_amount: 'check.fault_sale_amount',
  terms_unknown: 'check.fault_terms_unknown',
}

/** The verdict at the top of the page. */
export function Verdict({ check, areKeysOwn }: { check: BundleCheck; areKeysOwn: boolean }) {
  const fits = check.faults.length === 0
  return (
    <VerdictFrame isFaultless={fits} headline={fits ? headlineText(check) : undefined} tinted>
      <div className={cx('mt-0.5 text-small', fits && 'text-on-ink-2')}>
        {fits ? (
          <>
            <p>
              {t(
                (check.facts !== null && isResult(check.facts)) || check.sale !== null
                  ? 'check.matches'
                  : 'check.running_text',
              )}
            </p>
            {check.facts !== null && isOfPractice(check.facts) && (
              <p className="mt-1 font-semibold">{t('check.practice_order')}</p>
            )}
            {check.sale && <p className="mt-1">{saleText(check.sale)}</p>}
            {check.amended && <p className="mt-1">{t('check.amended', { percent: check.amended.paid / 100 })}</p>}
          </>
        ) : (
          <Faults check={check} />
        )}
        {areKeysOwn && <p className="mt-1">{t('check.keys_own')}</p>}
      </div>
    </VerdictFrame>
  )
}

function Faults({ check }: { check: BundleCheck }) {
  const { facts, faults, recomputed, logFault } = check
  const place = groupedNumber(String(logFault?.seq ?? 0))
  // A set, because two faults can have the same text.
  const lines = new Set(faults.map((fault) => t(FAULTS[fault], { place })))
  return (
    <>
      {facts !== null && isResult(facts) && recomputed !== null && recomputed !== facts.result && (
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
