/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the picture is drawn into a canvas, which has no text of its own */
import Download from 'lucide-react/icons/download'
import Share2 from 'lucide-react/icons/share-2'
import { useRef, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { CopyRow } from '#ui/copy-row.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { useToast } from '#ui/toast.tsx'
import { useShownTheme } from '#ui/theme.ts'
import { copyLabels } from '#web/i18n/copy-labels.ts'
import { t } from '#web/i18n/t.ts'
import { saveBlob } from '#ui/save-file.ts'
import type { OrderCheck } from '#web/receipts/check-order.ts'
import { cardText, cardWords } from '#web/screens/check/card-words.ts'
import { CARD, drawCard } from '#web/screens/check/draw-card.ts'
import { useIsDemo, useSettings } from '#web/site/settings.ts'

interface ShareCardProps {
  order: OrderCheck
  open: boolean
  onClose: () => void
}

const ICON = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const

/**
 * The picture of a checked result or sale, drawn in this browser and sent nowhere. Its text is for users who do not see
 * the picture. The amount of a sale is private, so its picture offers no percentage.
 */
export function ShareCard({ order, open, onClose }: ShareCardProps) {
  const toast = useToast()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [showsPercent, setShowsPercent] = useState(false)
  const theme = useShownTheme()
  const site = useSettings()?.site_name ?? 'Fairwick'
  const isDemo = useIsDemo()
  const trx = order.check.facts?.trx ?? ''
  const address = `${location.origin}/check/${trx}`
  const words = cardWords(order, { site, isDemo, showsPercent, address })
  const text = words === null ? '' : cardText(words)

  const draw = (element: HTMLCanvasElement | null) => {
    canvas.current = element
    if (element !== null && words !== null) drawCard(element, words)
  }

  const save = async (mayShare: boolean) => {
    const file = await pictureFile(canvas.current, `${trx}.png`)
    if (file === null) toast({ tone: 'danger', text: t('check.card_failed') })
    else if (mayShare && canShare(file)) await shareFile(file, text)
    else saveBlob(file.name, file)
  }

  return (
    <Sheet open={open} onClose={onClose} title={t('check.card_title')} closeLabel={t('common.close')}>
      <div className="flex flex-col gap-3">
        <canvas
          // The key redraws the picture when the theme changes.
          key={theme}
          ref={draw}
          width={CARD.width}
          height={CARD.height}
          role="img"
          aria-label={text}
          className="block h-auto w-full rounded-chip border border-line"
        />
        {order.check.sale === null && (
          <Checkbox checked={showsPercent} onChange={(event) => setShowsPercent(event.target.checked)}>
            {t('check.card_percent')}
          </Checkbox>
        )}
        <div>
          <h3 className="mb-1.5 text-label text-fg-2">{t('check.card_text')}</h3>
          <CopyRow text={text} isProse labels={copyLabels()} />
        </div>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3">
          <Button variant="secondary" icon={<Download {...ICON} />} onClick={() => void save(false)}>
            {t('check.card_save')}
          </Button>
          {'share' in navigator && (
            <Button variant="secondary" icon={<Share2 {...ICON} />} onClick={() => void save(true)}>
              {t('check.share')}
            </Button>
          )}
        </div>
      </div>
    </Sheet>
  )
}

async function pictureFile(canvas: HTMLCanvasElement | null, name: string): Promise<File | null> {
  const blob = await new Promise<Blob | null>((resolve) => {
    if (canvas === null) resolve(null)
    else canvas.toBlob(resolve, 'image/png')
  })
  return blob && new File([blob], name, { type: 'image/png' })
}

function canShare(file: File): boolean {
  return typeof navigator.canShare === 'function' && navigator.canShare({ files: [file] })
}

/**
 * Shares the file in the system's dialog. If sharing fails, the file is downloaded; if the user closes the dialog,
 * nothing more happens.
 */
async function shareFile(file: File, text: string): Promise<void> {
  try {
    await navigator.share({ files: [file], text })
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) saveBlob(file.name, file)
  }
}
