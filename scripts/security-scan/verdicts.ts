/** A finding that is harmless, with the reason. */
export interface Verdict {
  readonly tool: 'sqlmap' | 'wapiti'
  /** Matches the scanner's text: kind, place and message. */
  readonly says: RegExp
  readonly why: string
}

/** Each was reviewed by hand. Any other finding is open and fails the run. */
export const VERDICTS: readonly Verdict[] = [
  {
    tool: 'wapiti',
    says: /^Backup file: GET \/(?!api\/)/,
    why: 'no file: the app answers every address of a page with its own page, which then says that there is nothing',
  },
  {
    tool: 'wapiti',
    says: /^HTTP Secure Headers: .*Strict-Transport-Security is not set/,
    why: 'sent where `PUBLIC_URL` is over https, which a live installation has to have (`edges.test.ts`); this one is on loopback',
  },
  {
    tool: 'wapiti',
    says: /^HTTP Secure Headers: .*X-XSS-Protection is not set/,
    why: 'sent as `0`: what it switched on in old browsers did harm; the CSP does its work',
  },
]
