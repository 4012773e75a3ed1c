import type { KeyboardEvent, PointerEvent } from 'react'
import { defaultWidths, type Pane, widthLimits } from '../../domain/shell/pane-widths.ts'
import { selectWidths } from '../../machines/shell/pane-widths.ts'
import { usePaneWidths } from '../actors.tsx'
import { classNames } from '../components/class-names.ts'
import { rootFontSize } from '../components/root-font-size.ts'
import { useSelector } from '../use-selector.ts'

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

type PaneDividerProps = { pane: Pane; label: string; className: string }

/** The splitter between two panes: moved by dragging and by the arrow keys, reset by a double click or Enter. */
export default function PaneDivider({ pane, label, className }: PaneDividerProps) {
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
