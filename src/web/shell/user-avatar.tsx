import { useState } from 'react'
import { Avatar } from '#ui/symbol-mark.tsx'
import type { User } from '#web/session/session.ts'

/** The user's picture, or their initials if there is none or it fails to load. */
export function UserAvatar({ user, size = 36 }: { user: Pick<User, 'username' | 'image_path'>; size?: number }) {
  const [broken, setBroken] = useState<string | null>(null)
  const source = user.image_path
  if (source === null || source === '' || source === broken) return <Avatar name={user.username} size={size} />
  return (
    <img
      src={source}
      alt=""
      width={size}
      height={size}
      onError={() => setBroken(source)}
      style={{ width: size, height: size }}
      className="shrink-0 rounded-full bg-surface-2 object-cover"
    />
  )
}
