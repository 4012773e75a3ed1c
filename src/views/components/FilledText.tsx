import { Fragment, type ReactNode } from 'react'

type FilledTextProps<Name extends string> = {
  /** The elements for the placeholders of the message, by name. */
  parts: Readonly<Record<Name, ReactNode>>
  /** Looks up the message. The given values are markers at which the text is split. */
  children: (marks: Record<Name, string>) => string
}

const mark = '\ufdd1'

/** A text with React elements as placeholders: `{name}` in the message becomes `parts.name`. */
export function FilledText<Name extends string>({ parts, children }: FilledTextProps<Name>) {
  const names = Object.keys(parts) as Name[]
  const marks = Object.fromEntries(names.map((name) => [name, mark + name + mark])) as Record<Name, string>
  return children(marks)
    .split(mark)
    .map((piece, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence keep their order
      <Fragment key={index}>{index % 2 === 0 ? piece : parts[piece as Name]}</Fragment>
    ))
}
