import { Card } from '#ui/card.tsx'
import { formatCount } from '#ui/format.ts'
import type { Reply } from '#web/api/call.ts'
import { clockDateTime } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'

type Witness = Reply<'GET /proof/register'>['witnesses'][number]

/** Who else has signed the register. */
export function Witnesses({ witnesses }: { witnesses: readonly Witness[] }) {
  return (
    <section aria-labelledby="register-witnesses" className="mt-6">
      <h2 id="register-witnesses" className="mb-2 text-heading">
        {t('register.witnesses')}
      </h2>
      <Card>
        {witnesses.length === 0 && <p className="font-semibold">{t('register.no_witness')}</p>}
        <ul className="flex flex-col gap-3">
          {witnesses.map((witness) => (
            <li key={witness.name} className="[overflow-wrap:anywhere]">
              <p className="font-semibold">{witness.name}</p>
              <p className="text-small text-fg-2">
                {witness.is_ours ? t('register.ours') : t('register.run_by', { name: witness.run_by })}
              </p>
              <p className="text-small text-fg-2">
                {witness.size === null || witness.at === null ? (
                  t('register.seen_nothing')
                ) : (
                  <>
                    {t('register.seen_entries', { size: formatCount(witness.size) })} ·{' '}
                    <span className="num">{clockDateTime(Date.parse(witness.at))}</span>
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
        <p className="mt-2 text-small text-fg-2">{t('register.witness_text')}</p>
      </Card>
    </section>
  )
}
