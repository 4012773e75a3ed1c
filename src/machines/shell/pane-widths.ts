import { type ActorRefFrom, fromTransition, type SnapshotFrom } from 'xstate'
import { fittingWidth, type Pane, type PaneWidths } from '../../domain/shell/pane-widths.ts'

export type PaneWidthsEvent = { type: 'pane.resized'; pane: Pane; width: number }

/** The widths of the panes, in rem. The actor's owner stores the widths. */
export const paneWidthsLogic = fromTransition<PaneWidths, PaneWidthsEvent, never, PaneWidths>(
  (widths, { pane, width }) => {
    const fitting = fittingWidth(width)
    return widths[pane] === fitting ? widths : { ...widths, [pane]: fitting }
  },
  ({ input }) => input,
)
export type PaneWidthsActor = ActorRefFrom<typeof paneWidthsLogic>

export const selectWidths = (snapshot: SnapshotFrom<typeof paneWidthsLogic>): PaneWidths => snapshot.context
