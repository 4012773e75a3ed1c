import { Fragment, type ReactNode } from 'react'

type FilledTextProps<Name extends string> = {
  /** What stands in the places of the message, by name. */
  parts: Readonly<Record<Name, ReactNode>>
  /** Looks the message up with the values that mark its places. */
  children: (marks: Record<Name, string>) => string
}

const mark = '\ufdd1'

/** A text with elements in its places: `{name}` in the message becomes `parts.name`. */
export function FilledText<Name extends string>({ parts, children }: FilledTextProps<Name>) {
  const names = Object.keys(parts) as Name[]
  const marks = Object.fromEntries(names.map((name) => [name, mark + name + mark])) as Record<Name, string>
  return children(marks)
    .split(mark)
    .map((piece, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence keep their order
      <Fragment key={index}>{index % 2 === 0 ? piece : parts[piece as Name]}</Fragment>
    ))
}
