import type { CSSProperties, KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { defaultWidths, type Pane, widthLimits } from '../../domain/shell/pane-widths.ts'
import { selectWidths } from '../../machines/shell/pane-widths.ts'
import { usePaneWidths } from '../actors.tsx'
import { classNames } from '../components/class-names.ts'
import { rootFontSize } from '../components/root-font-size.ts'
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

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

type PaneDividerProps = { pane: Pane; label: string; className: string }

/** The splitter between two panes: moved by dragging and by the arrow keys, reset by a double click or Enter. */
export function PaneDivider({ pane, label, className }: PaneDividerProps) {
  const widths = usePaneWidths()
  const width = useSelector(widths, selectWidths)[pane]
  /** The pane is on the right: moving the splitter left makes it wider. */
  const side = pane === 'list' ? 1 : -1
  const resize = (to: number) => widths.send({ type: 'pane.resized', pane, width: to })
  const reset = () => resize(defaultWidths[pane])

  const drag = (start: PointerEvent<HTMLElement>) => {
    if (start.button !== 0) return
    start.preventDefault()
    const handle = start.currentTarget
    handle.setPointerCapture(start.pointerId)
    const move = (event: globalThis.PointerEvent) =>
      resize(width + (side * (event.clientX - start.clientX)) / rootFontSize())
    const end = () => {
      handle.removeEventListener('pointermove', move)
      handle.removeEventListener('lostpointercapture', end)
    }
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', end)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step !== undefined) resize(width + side * step)
    else if (event.key === 'Home') resize(widthLimits.smallest)
    else if (event.key === 'End') resize(widthLimits.largest)
    else if (event.key === 'Enter') reset()
    else return
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: <hr> cannot be moved; this is the ARIA window splitter
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={widthLimits.smallest}
      aria-valuemax={widthLimits.largest}
      tabIndex={0}
      className={classNames(
        'absolute inset-y-0 -right-1 z-10 w-2 cursor-col-resize touch-none',
        'after:absolute after:inset-y-0 after:left-[3px] after:w-0.5 hover:after:bg-accent active:after:bg-accent',
        className,
      )}
      onPointerDown={drag}
      onDoubleClick={reset}
      onKeyDown={onKeyDown}
    />
  )
}
