import { useEffect, useRef } from 'react'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { copyLabels } from '#web/i18n/copy-labels.ts'
import { t } from '#web/i18n/t.ts'

/** A new key, shown only once. */
export function NewKeyCard({ text, onStored }: { text: string; onStored: () => void }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <Card className="shadow-[inset_0_0_0_1px_var(--brand)]">
      <h2 ref={title} tabIndex={-1} className="font-list outline-none">
        {t('keys.made_title')}
      </h2>
      <p className="mt-1 text-small text-fg-2">{t('keys.made_hint')}</p>
      <p dir="ltr" className="mono my-3 text-small break-all">
        {text}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <CopyButton text={text} labels={copyLabels()} />
        <Button size="s" onClick={onStored}>
          {t('keys.stored')}
        </Button>
      </div>
    </Card>
  )
}
