import { expect, it } from 'vitest'
import { csvLine } from '#server/platform/http/csv.ts'

it.each([
  ['=1+1', "'=1+1"],
  ['+1+1', "'+1+1"],
  ['+1', '+1'],
  ['-2+3', "'-2+3"],
  ['@SUM(1)', "'@SUM(1)"],
  // Full-width and small forms are interpreted like the plain characters.
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1+1', "'－1+1"],
  ['＠SUM(1)', "'＠SUM(1)"],
  ['﹦1+1', "'﹦1+1"],
  // Spreadsheets also interpret these characters after spaces and invisible characters.
  [' =1+1', "' =1+1"],
  ['\u00A0=1+1', "'\u00A0=1+1"],
  ['\u3000@SUM(1)', "'\u3000@SUM(1)"],
  ['\uFEFF=1+1', "'\uFEFF=1+1"],
  ['\u200B\u2800=1+1', "'\u200B\u2800=1+1"],
  ['\t=1+1', "'\t'=1+1"],
  ['\r\n=1', `"'\r\n'=1"`],
  ['\tplain', "'\tplain"],
  // A spreadsheet that splits text at semicolons starts a new cell here.
  ['x;=1+1', "x;'=1+1"],
  ['x; @SUM(1)', "x;' @SUM(1)"],
  ['x\n=1', `"x\n'=1"`],
  // Text that is not a formula stays unchanged.
  ['-12.50', '-12.50'],
  ['a=b', 'a=b'],
  ['a - b', 'a - b'],
  ['Smith; Jones', 'Smith; Jones'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['', ''],
])('F11: a cell %j is written as %j', (cell, line) => expect(csvLine([cell])).toBe(`${line}\r\n`))
