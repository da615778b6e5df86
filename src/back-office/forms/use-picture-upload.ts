import { useState } from 'react'
import { failureText } from '#back-office/api/call-staff.ts'

interface PictureUpload {
  /** Uploads the file, then calls `onUploaded`. A failure stays in `failure` until the next upload succeeds. */
  readonly upload: (file: File) => Promise<void>
  readonly isUploading: boolean
  readonly failure: string | undefined
}

/** `send` uploads the file and resolves to its address, which is passed to `onUploaded`. */
export function usePictureUpload(
  send: (form: FormData) => Promise<string>,
  onUploaded: (picture: string) => void,
): PictureUpload {
  const [isUploading, setIsUploading] = useState(false)
  const [failure, setFailure] = useState<string | undefined>()
  return { upload, isUploading, failure }

  async function upload(file: File): Promise<void> {
    const form = new FormData()
    form.append('picture', file)
    setIsUploading(true)
    try {
      onUploaded(await send(form))
      setFailure(undefined)
    } catch (thrown) {
      setFailure(failureText(thrown))
    } finally {
      setIsUploading(false)
    }
  }
}
