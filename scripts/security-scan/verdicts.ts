/** A finding that is harmless, with the reason. */
export interface Verdict {
  readonly tool: 'sqlmap' | 'wapiti'
  /** Matches the scanner's text: kind, place and message. */
  readonly says: RegExp
  readonly why: string
}

/** Each verdict was reviewed by hand. Any other finding is open and fails the run. */
export const VERDICTS: readonly Verdict[] = [
  {
    tool: 'wapiti',
    says: /^Backup file: GET \/(?!api\/)/,
    why: 'no file: the app answers every unknown path with its “not found” page',
  },
  {
    tool: 'wapiti',
    says: /^HTTP Secure Headers: .*Strict-Transport-Security is not set/,
    why: 'sent when `PUBLIC_URL` uses https, which live mode needs (`edges.test.ts`); this installation is on loopback',
  },
  {
    tool: 'wapiti',
    says: /^HTTP Secure Headers: .*X-XSS-Protection is not set/,
    why: 'sent as `0`: the old browser filter did harm, and the content security policy replaces it',
  },
]
