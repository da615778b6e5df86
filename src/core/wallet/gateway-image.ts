/** The path of the pictures of gateways and methods. */
export const GATEWAY_IMAGE_PATH = '/images/gateways/'

/** Pictures of gateways and methods that ship with the product, in `images/gateways/`. */
export const SHIPPED_GATEWAY_IMAGES = [
  'bank.svg',
  'card.svg',
  'purse.svg',
  'bitcoin.svg',
  'dollar-coin.svg',
  'phone.svg',
] as const

/** File name of an uploaded picture: a random id. */
export const SITE_PICTURE = /^[0-9a-f]{32}\.webp$/

/** Whether a gateway may use this picture: no picture, a shipped picture or an uploaded picture. */
export function isGatewayImage(name: string): boolean {
  return name === '' || (SHIPPED_GATEWAY_IMAGES as readonly string[]).includes(name) || SITE_PICTURE.test(name)
}
