import { instant } from '#core/time/instant.ts'
import { LANGUAGES, readLanguage } from '#messages/languages.ts'
import { Card } from '#ui/card.tsx'
import { LoadError } from '#ui/states.tsx'
import { failureText } from '#web/api/call-failure.ts'
import { useCallQuery } from '#web/api/query.tsx'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'

/** The texts of the app that the operator replaced, each beside the original. */
export function ChangedWords() {
  const query = useCallQuery('GET /proof/texts', {})
  return (
    <section aria-labelledby="words" aria-busy={query.isPending} className="mt-6">
      <h2 id="words" className="mb-2 font-semibold">
        {t('changes.words')}
      </h2>
      <p className="mb-3 text-small text-fg-2">{t('changes.words_intro')}</p>
      {query.data === undefined ? (
        query.isError && (
          <LoadError
            reason={failureText(query.error)}
            retryLabel={t('common.try_again')}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        )
      ) : (
        <Card>
          {query.data.data.texts.length === 0 ? (
            <p className="text-small text-fg-2">{t('changes.words_none')}</p>
          ) : (
            <ul className="flex flex-col gap-3">
              {query.data.data.texts.map(({ language, key, ours, theirs, since }) => (
                <li key={`${language} ${key}`} className="text-small break-words">
                  <p className="text-label text-fg-3">
                    <span className="mono">{key}</span> · {LANGUAGES[readLanguage(language) ?? 'en'].name} ·{' '}
                    {t('changes.words_since', { time: dayAndTimeText(instant(Date.parse(since))) })}
                  </p>
                  <p className="whitespace-pre-wrap">{t('changes.words_theirs', { text: theirs })}</p>
                  <p className="whitespace-pre-wrap text-fg-2">{t('changes.words_ours', { text: ours })}</p>
                </li>
              ))}
            </ul>
          )}
        </Card>
      )}
    </section>
  )
}
