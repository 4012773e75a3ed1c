import { Fragment } from 'react'
import { piecesOf, type VariableValues } from '../../domain/client/reply-variables.ts'
import type { Variable } from '../../domain/send/placeholders.ts'
import { t } from '../../texts/send-on-demand.ts'

const names = {
  first_name: 'send.variableFirstName',
  balance: 'send.variableBalance',
  order_number: 'send.variableOrderNumber',
  page: 'send.variablePage',
} as const satisfies Record<Variable, string>

/** What staff call a variable. */
export const variableName = (variable: Variable): string => t(names[variable])

/** A saved reply with its variables filled. A variable without a value is marked. */
export function FilledReply({ text, values }: { text: string; values: VariableValues }) {
  return piecesOf(text).map((piece, index) => {
    const value = piece.variable === null ? piece.text : values[piece.variable]
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text keep their order
      <Fragment key={index}>
        {piece.variable === null ? (
          piece.text
        ) : value === null ? (
          <mark className="rounded-tag bg-warn-soft px-1 text-warn">{variableName(piece.variable)}?</mark>
        ) : (
          <b className="font-semibold text-ink">{value}</b>
        )}
      </Fragment>
    )
  })
}
