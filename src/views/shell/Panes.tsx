import type { CSSProperties, ReactNode } from 'react'
import { selectWidths } from '../../machines/shell/pane-widths.ts'
import { usePaneWidths } from '../actors.tsx'
import { classNames } from '../components/class-names.ts'
import { useSelector } from '../use-selector.ts'

type PanesProps = {
  withDetails: boolean
  /** The views, left of the panes and above them on a phone. */
  rail?: ReactNode
  /** On a phone an open thread has the screen. */
  withRailOnPhone: boolean
  children: ReactNode
}

/**
 * One pane on a phone, two on a tablet, three on a wide screen, in the widths that the user chose. `withDetails` is
 * true if the user opened the details where they are not shown permanently. They are then placed next to the thread as
 * soon as the window is wide enough.
 */
export function Panes({ withDetails, rail, withRailOnPhone, children }: PanesProps) {
  const { list, details } = useSelector(usePaneWidths(), selectWidths)
  return (
    <main
      className={classNames(
        'relative grid min-h-0 flex-1 grid-cols-1',
        rail === undefined
          ? 'md:grid-cols-[min(var(--list-width),42vw)_minmax(0,1fr)] xl:grid-cols-[min(var(--list-width),32vw)_minmax(0,1fr)_min(var(--details-width),32vw)]'
          : 'md:grid-cols-[4.75rem_min(var(--list-width),36vw)_minmax(0,1fr)] xl:grid-cols-[12.5rem_min(var(--list-width),27vw)_minmax(0,1fr)_min(var(--details-width),27vw)]',
        rail !== undefined && withRailOnPhone
          ? 'max-md:grid-rows-[auto_minmax(0,1fr)]'
          : 'max-md:grid-rows-[minmax(0,1fr)]',
        withDetails &&
          (rail === undefined
            ? 'lg:max-xl:grid-cols-[min(var(--list-width),30vw)_minmax(0,1fr)_20rem]'
            : 'lg:max-xl:grid-cols-[4.75rem_min(var(--list-width),28vw)_minmax(0,1fr)_18rem]'),
      )}
      style={{ '--list-width': `${list}rem`, '--details-width': `${details}rem` } as CSSProperties}
    >
      {rail}
      {children}
    </main>
  )
}
