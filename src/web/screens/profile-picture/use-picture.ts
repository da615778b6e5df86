import { useRef, useState } from 'react'
import { MAX_UPLOAD_BYTES } from '#core/uploads/file-type.ts'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { t } from '#web/i18n/t.ts'
import { type Crop, wholeCrop } from '#web/screens/profile-picture/crop.ts'
import { cutPhoto, readPhoto } from '#web/screens/profile-picture/photo.ts'
import type { User } from '#web/session/session.ts'
import { takeUser } from '#web/site/refresh-user.ts'

interface State {
  photo: ImageBitmap | null
  crop: Crop | null
  /** The error of the chosen file, or that no file is chosen. */
  error: string | null
  /** Why the picture could not be sent. */
  failure: string | null
  done: 'uploaded' | 'removed' | null
  busy: 'saving' | 'removing' | null
}

const NOTHING: State = { photo: null, crop: null, error: null, failure: null, done: null, busy: null }

/** Chooses, saves and removes the user's picture. */
export function usePicture() {
  const [state, setState] = useState(NOTHING)
  // A ref, because a second quick press can arrive before the first press has rendered.
  const sending = useRef(false)

  async function choose(file: File): Promise<void> {
    if (file.size > MAX_UPLOAD_BYTES) {
      setState({ ...NOTHING, error: t('profile_picture.too_large', { size: MAX_UPLOAD_BYTES / 1_048_576 }) })
      return
    }
    try {
      const photo = await readPhoto(file)
      setState({ ...NOTHING, photo, crop: wholeCrop(photo) })
    } catch {
      setState({ ...NOTHING, error: t('profile_picture.unreadable') })
    }
  }

  async function send(busy: 'saving' | 'removing', ask: () => Promise<User>): Promise<void> {
    if (sending.current) return
    sending.current = true
    setState((before) => ({ ...before, busy, failure: null, error: null, done: null }))
    try {
      await takeUser(ask)
      setState({ ...NOTHING, done: busy === 'saving' ? 'uploaded' : 'removed' })
    } catch (error) {
      setState((before) => ({ ...before, busy: null, failure: failureText(error) }))
    } finally {
      sending.current = false
    }
  }

  async function save(): Promise<void> {
    const { photo, crop } = state
    const cut = photo !== null && crop !== null ? await cutPhoto(photo, crop) : null
    if (cut === null) {
      setState((before) => ({ ...before, done: null, error: t('profile_picture.required') }))
      return
    }
    await send('saving', async () => {
      const { data } = await call('POST /user/profile/image', { form: { profile_image: cut } })
      return data.user
    })
  }

  /** Discards the chosen photo, or removes the current picture if no photo is chosen. */
  async function clear(): Promise<void> {
    if (state.photo !== null) setState(NOTHING)
    else await send('removing', async () => (await call('POST /user/profile/image/remove')).data.user)
  }

  return {
    ...state,
    isSaving: state.busy === 'saving',
    isRemoving: state.busy === 'removing',
    setCrop: (crop: Crop) => setState((before) => ({ ...before, crop })),
    choose,
    save,
    clear,
  }
}
