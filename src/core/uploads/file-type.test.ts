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
])('detects %j as %s', (start, type) => {
  expect(readFileType(bytes(start))).toBe(type)
})

it.each([
  ['\xEF\xBB\xBF%PDF-1.4\n', 'application/pdf'],
  ['\r\n%PDF-1.4\n', 'application/pdf'],
  ['\n\n\n%PDF-1.7', 'application/pdf'],
  ['\xEF\xBB\xBF\r\n%PDF-1.7', 'application/pdf'],
  ['\x1B%-12345X@PJL JOB\r\n@PJL ENTER LANGUAGE=PDF\r\n%PDF-1.3\n', 'application/pdf'],
  ['%!PS-Adobe-3.0 PDF-1.4\n%PDF-1.4\n', 'application/pdf'],
  [`${' '.repeat(1_024)}%PDF-1.4`, 'application/pdf'],
  [`${' '.repeat(1_025)}%PDF-1.4`, null],
  ['%PDF', null],
  ['\xEF\xBB\xBF <html>%PDF-', null],
  ['\n<svg>%PDF-1.4', null],
  ['MZ\x90\x00%PDF-1.4', null],
  ['PK\x03\x04%PDF-1.4', null],
  ['GIF89a%PDF-1.4', null],
  ['\xFF\xD8\xFF%PDF-1.4', 'image/jpeg'],
])('F10: %j is %s', (start, type) => {
  expect(readFileType(bytes(start))).toBe(type)
})
