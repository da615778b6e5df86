import { expect, it } from 'vitest'
import { readFileType } from '#core/uploads/file-type.ts'

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

it.each([
  ['\xFF\xD8\xFF\xE0abcdefghi', 'image/jpeg'],
  ['\x89PNG\r\n\x1A\nabcd', 'image/png'],
  ['RIFF\x10\x00\x00\x00WEBPVP8 ', 'image/webp'],
  ['%PDF-1.7\n', 'application/pdf'],
  ['RIFF\x10\x00\x00\x00WAVEfmt ', null],
  ['<svg xmlns="http://www.w3.org/2000/svg">', null],
  ['GIF89a', null],
  ['<html>%PDF-', null],
  ['MZ\x90', null],
  ['\xFF\xD8', null],
  ['', null],
])('%j is %s', (start, type) => {
  expect(readFileType(bytes(start))).toBe(type)
})
