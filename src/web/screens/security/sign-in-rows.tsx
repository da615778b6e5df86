import type { SignInRow } from '#contract/security.ts'
import { List, ListRow } from '#ui/list-row.tsx'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'

/** The recent log-ins and failed attempts. */
export function SignInRows({ lines }: { lines: readonly SignInRow[] }) {
  return (
    <List>
      {lines.map((one) => (
        <ListRow
          key={one.id}
          label={one.device || t('security.unknown_device')}
          detail={
            <>
              {dayAndTimeText(Date.parse(one.at))} · <bdi>{one.address}</bdi>
            </>
          }
          value={<Outcome line={one} />}
        />
      ))}
    </List>
  )
}

function Outcome({ line }: { line: SignInRow }) {
  if (!line.went_in) return <span className="text-danger">{t('security.failed')}</span>
  if (line.is_new_device) return <span className="text-warn">{t('security.new_device')}</span>
  return t(`security.how_${line.how}`)
}
