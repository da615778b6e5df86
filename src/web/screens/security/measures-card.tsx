import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { formatMoney } from '#ui/format.ts'
import { List, ListRow } from '#ui/list-row.tsx'
import type { Reply } from '#web/api/call.ts'
import { useCallQuery } from '#web/api/query.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { saveFile } from '#ui/save-file.ts'
import { LoadingCard } from '#web/lists/loading-card.tsx'
import { useSettings } from '#web/site/settings.ts'

type Measure = Reply<'GET /user/measures'>['measures'][number]

/** All measures against this account, ended measures too, as a list and as a signed file. */
export function MeasuresCard() {
  const query = useCallQuery('GET /user/measures', {})
  const site = useSettings()?.site_name ?? 'Fairwick'
  if (query.data === undefined) return <LoadingCard query={query} />
  const { measures, statement } = query.data.data
  return (
    <>
      {measures.length === 0 ? (
        <Card>
          <p className="text-small text-fg-2">{t('measures.none', { site })}</p>
        </Card>
      ) : (
        <List>
          {measures.map((one) => (
            <ListRow
              key={`${one.kind} ${one.since}`}
              label={t(`measures.${one.kind}`, { value: formatMoney(moneyOf(one.value ?? 0)) })}
              detail={
                <>
                  {spanText(one)} · <bdi>{one.reason}</bdi>
                </>
              }
            />
          ))}
        </List>
      )}
      <Button
        variant="secondary"
        size="m"
        className="mt-2"
        onClick={() => saveFile('fairwick-measures.jws', statement, 'application/jose')}
      >
        {t('measures.download')}
      </Button>
    </>
  )
}

function spanText({ since, until, ended }: Measure): string {
  const date = dayAndTimeText(Date.parse(since))
  if (ended !== null) return t('measures.ended', { date, end: dayAndTimeText(Date.parse(ended)) })
  if (until !== null) return t('measures.until', { date, end: dayAndTimeText(Date.parse(until)) })
  return t('measures.since', { date })
}
