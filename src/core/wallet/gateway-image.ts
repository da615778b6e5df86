/** Where pictures of ways to pay are. */
export const GATEWAY_IMAGE_PATH = '/images/gateways/'

/** Pictures of ways to pay that come with the product, in `images/gateways/`. */
export const SHIPPED_GATEWAY_IMAGES = [
  'bank.svg',
  'card.svg',
  'purse.svg',
  'bitcoin.svg',
  'dollar-coin.svg',
  'phone.svg',
] as const

/** A picture that somebody uploaded: its name says nothing. */
export const SITE_PICTURE = /^[0-9a-f]{32}\.webp$/

/** Whether a gateway may have this picture: none, a shipped one, or one that was uploaded. */
export function isGatewayImage(name: string): boolean {
  return name === '' || (SHIPPED_GATEWAY_IMAGES as readonly string[]).includes(name) || SITE_PICTURE.test(name)
}
