import { MAX_UPLOAD_BYTES } from '#core/uploads/file-type.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { UploadField } from '#ui/upload-field.tsx'
import { t } from '#web/i18n/t.ts'
import { Cropper } from '#web/screens/profile-picture/cropper.tsx'
import { usePicture } from '#web/screens/profile-picture/use-picture.ts'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { type User, useSession } from '#web/session/session.ts'
import { UserAvatar } from '#web/shell/user-avatar.tsx'

export function ProfilePictureScreen() {
  const user = useSession()?.user
  if (user === undefined) return null // After a log-out there is no user, and the navigation rules redirect.
  return (
    <Page
      title={t('screen.profile_picture')}
      header={<DeepHeader title={t('screen.profile_picture')} parent="/profile" />}
      className="pt-1 pb-8"
    >
      <Picture user={user} />
    </Page>
  )
}

function Picture({ user }: { user: User }) {
  const picture = usePicture()
  const { photo, crop, done, failure } = picture
  const hasPicture = user.image_path !== null && user.image_path !== ''
  return (
    <div className="flex flex-col gap-4">
      {done !== null && <Alert tone="success">{t(`profile_picture.${done}`)}</Alert>}
      {failure !== null && <Alert tone="danger">{failure}</Alert>}
      <Card className="flex flex-col items-center gap-2">
        {photo !== null && crop !== null ? (
          <Cropper photo={photo} crop={crop} onChange={picture.setCrop} />
        ) : (
          <>
            <UserAvatar user={user} size={160} />
            <p className="text-label text-fg-3">{t('profile_picture.current')}</p>
          </>
        )}
      </Card>
      <UploadField
        label={t(photo === null ? 'profile_picture.choose' : 'profile_picture.another')}
        rules={t('profile_picture.rules', { size: MAX_UPLOAD_BYTES / 1_048_576 })}
        accept="image/jpeg,image/png,image/webp"
        file={null}
        onChange={(file) => {
          if (file !== null) void picture.choose(file)
        }}
        removeLabel={t('profile_picture.clear')}
        error={picture.error ?? undefined}
      />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3">
        <Button
          variant="secondary"
          disabled={photo === null && !hasPicture}
          loading={picture.isRemoving}
          onClick={() => void picture.clear()}
        >
          {t('profile_picture.clear')}
        </Button>
        <Button loading={picture.isSaving} onClick={() => void picture.save()}>
          {t('profile_picture.save')}
        </Button>
      </div>
      <p className="text-caption text-fg-3">{t('profile_picture.clear_hint')}</p>
    </div>
  )
}
