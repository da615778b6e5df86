/** Whether this browser can use passkeys at this address. Passkeys are bound to host names, not to IP addresses. */
export function canUsePasskeys(): boolean {
  const isNumber = /^[\d.]+$|^\[/.test(location.hostname)
  return 'PublicKeyCredential' in globalThis && globalThis.isSecureContext && !isNumber
}
