import Download from 'lucide-react/icons/download'
import { useEffect, useRef } from 'react'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { t } from '#web/i18n/t.ts'
import { saveFile } from '#ui/save-file.ts'
import { useSession } from '#web/session/session.ts'
import { useSettings } from '#web/site/settings.ts'
import { copyLabels } from '#web/i18n/copy-labels.ts'

/** New recovery codes, shown only once. */
export function RecoveryCodes({ codes, onConfirm }: { codes: readonly string[]; onConfirm: () => void }) {
  const site = useSettings()?.site_name ?? 'Fairwick'
  const user = useSession()?.user.username ?? ''
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <Card className="mb-2 shadow-[inset_0_0_0_1px_var(--brand)]">
      <h3 ref={title} tabIndex={-1} className="font-list outline-none">
        {t('security.recovery')}
      </h3>
      <p className="mt-1 text-small text-fg-2">{t('security.recovery_once')}</p>
      <ul dir="ltr" className="mono my-3 grid grid-cols-1 gap-x-4 gap-y-1 text-small sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap justify-end gap-2">
        <CopyButton text={codes.join('\n')} labels={copyLabels()} />
        <Button
          size="s"
          variant="secondary"
          icon={<Download size={16} aria-hidden="true" />}
          onClick={() =>
            saveFile(
              `${site.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-recovery-codes.txt`,
              fileOf(codes, [site, user].filter((name) => name !== '').join(', ')),
              'text/plain',
            )
          }
        >
          {t('check.download')}
        </Button>
        <Button size="s" onClick={onConfirm}>
          {t('security.recovery_kept')}
        </Button>
      </div>
    </Card>
  )
}

/** The file itself states what the codes are for, because it may be found years later. */
function fileOf(codes: readonly string[], account: string): string {
  return `${account}: ${t('security.recovery')}\r\n${t('security.recovery_once')}\r\n\r\n${codes.join('\r\n')}\r\n`
}
