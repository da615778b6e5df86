import { describe, expect, it } from 'vitest'
import { LANGUAGE_CODES } from '#messages/languages.ts'
import { fieldName, message, refusalText } from '#server/platform/i18n/messages.ts'

describe('server messages', () => {
  it('use the language of the caller, for field names too', () => {
    expect(refusalText('field_required', 'en', { name: 'amount' })).toBe('Amount is Required')
    const italian = refusalText('field_required', 'it', { name: 'amount' })
    expect(italian).not.toBe('Amount is Required')
    expect(italian).toContain(fieldName('amount', 'it'))
  })

  it('keep codes in mails free of characters that would be copied with them', () => {
    expect(message('mail.verification_subject', 'ar', { code: '012345', site: 'Fairwick' })).toMatch(
      /(?<!\u2068)012345/,
    )
  })

  it.each(LANGUAGE_CODES)('exist in %s', (code) => {
    expect(message('message.server_error', code)).toMatch(/\p{L}/u)
  })
})
