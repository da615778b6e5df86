/** Whether this browser can use passkeys at this address: they belong to names, not to numbers. */
export function canUsePasskeys(): boolean {
  const isNumber = /^[\d.]+$|^\[/.test(location.hostname)
  return 'PublicKeyCredential' in globalThis && globalThis.isSecureContext && !isNumber
}
