import type { SessionRow } from '#contract/security.ts'
import { Button } from '#ui/button.tsx'
import { List, ListRow } from '#ui/list-row.tsx'
import { call } from '#web/api/call.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import type { Act } from '#web/screens/security/act.ts'

/** The open sessions, with buttons to end one, or all others. */
export function SessionRows({ sessions, act }: { sessions: readonly SessionRow[]; act: Act }) {
  return (
    <>
      <List>
        {sessions.map((one) => {
          const device = one.device || t('security.unknown_device')
          return (
            <ListRow
              key={one.id}
              label={device}
              detail={
                <>
                  <bdi>{one.address}</bdi> · {t('security.seen', { time: dayAndTimeText(Date.parse(one.seen_at)) })}
                </>
              }
              end={
                one.is_this ? (
                  <span className="text-label text-ok">{t('security.this_device')}</span>
                ) : (
                  <Button
                    size="s"
                    variant="quiet"
                    aria-label={`${t('security.end')}: ${device}`}
                    onClick={() =>
                      void act(() => call('POST /user/security/sessions/:id/end', { params: { id: one.id } }))
                    }
                  >
                    {t('security.end')}
                  </Button>
                )
              }
            />
          )
        })}
      </List>
      {sessions.length > 1 && (
        <Button
          size="m"
          variant="danger"
          wide
          className="mt-2"
          onClick={() => void act(() => call('POST /user/security/sessions/end-others'))}
        >
          {t('security.end_others')}
        </Button>
      )}
    </>
  )
}
