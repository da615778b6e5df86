import { Fragment } from 'react'
import { fadeEnds } from '#ui/fade-ends.ts'
import type { ReportBlock } from '#web/screens/no-control/read-report.ts'

/** The content of one section, always in English like the report. */
export function ReportBlocks({ blocks }: { blocks: readonly ReportBlock[] }) {
  return (
    <div lang="en" dir="ltr" className="flex flex-col gap-3 text-left">
      {blocks.map((block, at) =>
        block.kind === 'text' ? (
          <p key={at} className="text-small text-fg-2">
            <Words text={block.text} />
          </p>
        ) : (
          <ReportTable key={at} heads={block.heads} rows={block.rows} />
        ),
      )}
    </div>
  )
}

function ReportTable({ heads, rows }: Pick<Extract<ReportBlock, { kind: 'table' }>, 'heads' | 'rows'>) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll it
    <div ref={fadeEnds} tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-label">
        <thead>
          <tr className="text-caption text-fg-3 *:pe-4">
            {heads.map((head) => (
              <th key={head} scope="col" className="h-9 text-start font-medium whitespace-nowrap">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, at) => (
            <tr key={at} className="border-t border-line align-top *:py-2 *:pe-4">
              {cells.map((cell, column) => (
                <td key={column} className={column === 0 ? 'whitespace-nowrap' : 'min-w-44'}>
                  <Words text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Renders text with code names between backticks, and line breaks. */
function Words({ text }: { text: string }) {
  return text.split('<br>').map((line, at) => (
    <Fragment key={at}>
      {at > 0 && <br />}
      {line.split('`').map((part, place) =>
        place % 2 === 1 ? (
          <code key={place} className="mono">
            {part}
          </code>
        ) : (
          part
        ),
      )}
    </Fragment>
  ))
}
