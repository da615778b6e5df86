import { GATEWAY_IMAGE_PATH } from '#core/wallet/gateway-image.ts'
import { Avatar } from '#ui/symbol-mark.tsx'
import { cx } from '#ui/cx.ts'

/** The picture of a gateway, or its initials. */
export function GatewayMark({ name, image, size = 32 }: { name: string; image: string; size?: number }) {
  if (image === '') return <Avatar name={name} size={size} />
  return (
    <img
      src={GATEWAY_IMAGE_PATH + image}
      alt=""
      style={{ width: size, height: size }}
      // The shipped pictures use one dark colour and need a white background.
      className={cx('shrink-0 rounded-full object-cover', image.endsWith('.svg') && 'bg-white p-1')}
    />
  )
}
