import english from '#messages/en.json' with { type: 'json' }
import { fillText, findText, type TextParams } from '#messages/find-text.ts'
import { LANGUAGES } from '#messages/languages.ts'
import { lengthParts } from '#core/time/length-parts.ts'
import { type ShownChange, termsChangeText, termsNoticeText, type TermsWords } from '#ui/terms-text.ts'
import { time } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'

/** Returns the English text of the app for a key. */
function appText(key: string, params: TextParams): string {
  return fillText(findText(english, key, params, LANGUAGES.en) ?? key, params, LANGUAGES.en)
}

const WORDS: TermsWords = {
  t: appText,
  length: (seconds) =>
    lengthParts(seconds)
      .map(({ unit, count }) => appText(`trade.${unit}`, { count }))
      .join(' '),
}

/** The sentences that all users will read about a change: on the page of changes, and on the order form. */
export function TermsPreview({ change, appliesMs }: { change: ShownChange; appliesMs: number }) {
  const at = `${time(new Date(appliesMs).toISOString())} UTC`
  const notice = termsNoticeText(change, at, appText)
  return (
    <section aria-label={t('markets.preview')} className="rounded-field bg-surface-2 px-3 py-2">
      <h4 className="text-caption font-medium text-fg-3">{t('markets.preview')}</h4>
      <p>{termsChangeText(change, WORDS)}</p>
      <p className="text-fg-2">{appText('changes.applies', { time: at })}</p>
      {notice !== null && <p className="mt-1 border-t border-line pt-1">{notice}</p>}
    </section>
  )
}
