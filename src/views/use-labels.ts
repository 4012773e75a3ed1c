import { useCallback } from 'react'
import { offers } from '../domain/session/features.ts'
import type { LabelTarget } from '../machines/list/label-picker.ts'
import { selectLabels } from '../machines/list/labels.ts'
import { selectRow } from '../machines/list/records.ts'
import { mayOpen } from '../machines/shell/dialog-access.ts'
import type { Label } from '../schemas/label.ts'
import { useChild, useDialog, useUser } from './use-inbox.ts'
import { useSelector } from './use-selector.ts'

/** What the API offers about labels, and what this person may do. */
export function useLabelsOffer(): { offered: boolean; mayChange: boolean; mayManage: boolean } {
  const user = useUser()
  return {
    offered: offers(user, 'labels'),
    mayChange: mayOpen(user, 'labels'),
    mayManage: mayOpen(user, 'labelManager'),
  }
}

/** All labels, sorted by name. */
export const useLabels = (): readonly Label[] => useSelector(useChild('labels'), selectLabels)

const sameLists = (one: readonly (readonly string[])[], other: readonly (readonly string[])[]): boolean =>
  one.length === other.length && one.every((ids, index) => ids === other[index])
const noLabels: readonly string[] = []

/** The label ids of each conversation, or of the client. */
export function useLabelRows(target: LabelTarget): readonly (readonly string[])[] {
  const ids = 'ids' in target ? target.ids : []
  const rows = useSelector(
    useChild('records'),
    (snapshot) => ids.map((id) => selectRow(id)(snapshot)?.state?.label_ids ?? noLabels),
    sameLists,
  )
  return 'ids' in target ? rows : [target.labelIds]
}

/** Opens the dialog in which the labels of conversations or of a client are changed. */
export function useLabelsDialog(): (target: LabelTarget) => void {
  const dialog = useDialog()
  return useCallback((input) => dialog.send({ type: 'dialog.requested', dialog: { name: 'labels', input } }), [dialog])
}
