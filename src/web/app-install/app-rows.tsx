import Download from 'lucide-react/icons/download'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Share from 'lucide-react/icons/share'
import SquarePlus from 'lucide-react/icons/square-plus'
import { type ReactNode, useState } from 'react'
import { ListRow } from '#ui/list-row.tsx'
import { applyUpdate } from '#web/app-install/app-worker.ts'
import { install, type InstallOffer } from '#web/app-install/install-offer.ts'
import { t } from '#web/i18n/t.ts'

const ICON = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/**
 * A row of the account menu that starts a new version of the app. While a reload would lose work, the row explains why
 * it does not reload.
 */
export function UpdateRow() {
  const [isHeld, setIsHeld] = useState(false)
  return (
    <ListRow
      icon={<RefreshCw {...ICON} />}
      label={t('app.new_version')}
      detail={isHeld ? t('app.finish_first') : undefined}
      value={t('shell.reload')}
      end={null}
      onClick={() => setIsHeld(!applyUpdate())}
    />
  )
}

/** A row of the account menu that installs the app, or says how on iOS. */
export function InstallRow({ offer }: { offer: NonNullable<InstallOffer> }) {
  const [isOpen, setIsOpen] = useState(false)
  const isByHand = offer === 'by-hand'
  return (
    <>
      <ListRow
        icon={<Download {...ICON} />}
        label={t('app.install')}
        detail={t('app.install_brings')}
        end={isByHand ? undefined : null}
        onClick={() => (isByHand ? setIsOpen(!isOpen) : void install())}
      />
      {isByHand && isOpen && (
        <ol className="flex flex-col gap-2 px-4 pb-3 text-small text-fg-2">
          <Step icon={<Share {...ICON} />} text={t('app.tap_share')} />
          <Step icon={<SquarePlus {...ICON} />} text={t('app.tap_add')} />
        </ol>
      )}
    </>
  )
}

function Step({ icon, text }: { icon: ReactNode; text: string }) {
  return (
    <li className="flex items-center gap-3">
      {icon}
      {text}
    </li>
  )
}
