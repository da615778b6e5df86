import { useId } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { SHIPPED_GATEWAY_IMAGES } from '#core/wallet/gateway-image.ts'
import { RadioBox } from '#ui/radio-box.tsx'
import { cx } from '#ui/cx.ts'
import { callStaff } from '#back-office/api/call-staff.ts'
import { PictureButton } from '#back-office/forms/picture-button.tsx'
import { usePictureUpload } from '#back-office/forms/use-picture-upload.ts'
import { GatewayMark } from '#ui/gateway-mark.tsx'
import { t } from '#back-office/i18n/t.ts'

interface GatewayPictureProps {
  name: string
  image: string
  onChange: (image: string) => void
  disabled?: boolean | undefined
  error?: string | undefined
}

/** A choice of initials, a picture shipped with the product, or an uploaded picture. */
export function GatewayPicture({ name, image, onChange, disabled, error }: GatewayPictureProps) {
  const group = useId()
  const { upload, isUploading, failure } = usePictureUpload(sendPicture, onChange)
  const isOwn = image.endsWith('.webp')
  const choices = ['', ...SHIPPED_GATEWAY_IMAGES, ...(isOwn ? [image] : [])]
  return (
    <div className="md:col-span-2">
      <p id={group} className="pb-1.5 text-caption font-medium text-fg-3">
        {t('gateways.picture')}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <div role="radiogroup" aria-labelledby={group} className="flex flex-wrap gap-2">
          {choices.map((choice) => (
            <RadioBox
              key={choice}
              name={group}
              checked={choice === image}
              disabled={disabled}
              spoken={choice === '' ? t('gateways.no_picture') : pictureName(choice)}
              onChoose={() => onChange(choice)}
              className={cx('rounded-small p-1.5', choice === image ? 'bg-brand-tint' : 'bg-surface-2')}
            >
              <GatewayMark name={name || '?'} image={choice} />
            </RadioBox>
          ))}
        </div>
        {disabled !== true && (
          <PictureButton label={t('gateways.upload')} isBusy={isUploading} onChoose={(file) => void upload(file)} />
        )}
      </div>
      {(failure ?? error) !== undefined && (
        <p role="alert" className="pt-1 text-caption font-medium text-danger">
          {failure ?? error}
        </p>
      )}
      <p className="pt-1 text-caption text-fg-3">{t('gateways.picture_rules')}</p>
    </div>
  )
}

/** Returns "bank" for `bank.svg`. */
function pictureName(image: string): string {
  return image.endsWith('.svg') ? image.slice(0, -'.svg'.length) : t('gateways.uploaded')
}

async function sendPicture(form: FormData): Promise<string> {
  return (await callStaff(staffCalls.staffGatewayPicture, { form })).name
}
