import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { callStaff } from '#back-office/api/call-staff.ts'
import { PictureButton } from '#back-office/forms/picture-button.tsx'
import { usePictureUpload } from '#back-office/forms/use-picture-upload.ts'
import { t } from '#back-office/i18n/t.ts'

interface PictureInputProps {
  label: string
  address: string
  disabled: boolean
  error: string | undefined
  onChange: (address: string) => void
}

/** A field for a picture of the site: an upload, or the address of a picture elsewhere. */
export function PictureInput({ label, address, disabled, error, onChange }: PictureInputProps) {
  const { upload, isUploading, failure } = usePictureUpload(sendPicture, onChange)
  return (
    <div>
      <Field
        label={label}
        value={address}
        placeholder={t('settings.picture_none')}
        disabled={disabled}
        error={failure ?? error}
        ltr
        maxLength={500}
        start={
          // The content security policy allows only pictures of this site.
          !address.startsWith('/') ? undefined : (
            <img src={address} alt="" className="size-8 rounded-small object-contain" />
          )
        }
        onChange={(event) => onChange(event.target.value)}
      />
      {!disabled && (
        <div className="flex flex-wrap gap-2 pt-2">
          <PictureButton
            label={t('settings.picture_choose')}
            isBusy={isUploading}
            onChoose={(file) => void upload(file)}
          />
          {address !== '' && (
            <Button variant="secondary" size="s" onClick={() => onChange('')}>
              {t('settings.picture_remove')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

async function sendPicture(form: FormData): Promise<string> {
  return (await callStaff(staffCalls.staffSitePicture, { form })).address
}
