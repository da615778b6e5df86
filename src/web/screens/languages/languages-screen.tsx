import Check from 'lucide-react/icons/check'
import { LANGUAGES } from '#messages/languages.ts'
import { List } from '#ui/list-row.tsx'
import { chooseLanguage, currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/t.ts'
import { flagOf } from '#web/screens/languages/flags.ts'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { useSession } from '#web/session/session.ts'
import { offeredLanguages } from '#web/site/settings.ts'

/** The available languages, each with its flag and native name. A choice restarts the app. */
export function LanguagesScreen() {
  const parent = useSession() === null ? '/' : '/wallet'
  const current = currentLanguage().code
  return (
    <Page title={t('languages.title')} header={<DeepHeader title={t('languages.title')} parent={parent} />}>
      <List className="mt-1">
        {offeredLanguages().map((code) => (
          <button
            key={code}
            type="button"
            onClick={() => chooseLanguage(code)}
            aria-current={code === current ? 'true' : undefined}
            className="flex min-h-12 w-full items-center gap-3 px-4 text-start font-list hover:bg-surface-2 focus-visible:-outline-offset-2"
          >
            <img
              src={flagOf(code)}
              alt=""
              width={24}
              height={18}
              className="h-[18px] w-6 shrink-0 rounded-[3px] object-cover outline outline-1 -outline-offset-1 outline-line"
            />
            <span className="flex-1">
              <bdi lang={LANGUAGES[code].tag} dir={LANGUAGES[code].dir}>
                {LANGUAGES[code].name}
              </bdi>
            </span>
            {code === current && <Check size={18} className="text-brand" aria-hidden="true" />}
          </button>
        ))}
      </List>
    </Page>
  )
}
