import { describe, expect, it } from 'vitest'
import { isDetailTooLong } from '#core/accounts/personal-details.ts'
import { uidOf } from '#core/accounts/uid.ts'

describe('uid', () => {
  it('uidOf makes ten characters from the random end of the account id', () => {
    expect(uidOf('0193536e-1b2a-7c4d-8e5c-000000000000')).toBe('0000000000')
    expect(uidOf('0193536e-1b2a-7c4d-8e5c-0000000003ff')).toBe('00000000ZZ')
    expect(uidOf('0193536e-1b2a-7c4d-8e5f-ffffffffffff')).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/)
  })

  it('uidOf differs between accounts that are created one after the other', () => {
    const uids = [uidOf('0193536e-1b2a-7c4d-8e5f-1a2b3c4d5e6f'), uidOf('0193536e-1b2b-7c4d-8e5f-1a2b3c4d5e70')]
    expect(new Set(uids).size).toBe(2)
  })
})

describe('personal details', () => {
  it.each(['', 'Ada', "D'Arcy-Ünal", 'Jean  Paul', '山田', 'شیرین‌کام', '👩‍👩‍👧'])('%j is accepted', (text) => {
    expect(isDetailTooLong('firstname', text)).toBe(false)
  })

  it('the length of a detail is counted in code points', () => {
    expect(isDetailTooLong('zip', '🙂'.repeat(20))).toBe(false)
    expect(isDetailTooLong('zip', '🙂'.repeat(21))).toBe(true)
  })

  it('the length of a detail does not include outer spaces and invisible characters', () => {
    expect(isDetailTooLong('zip', `  ${'1'.repeat(20)}\u200B `)).toBe(false)
  })
})
