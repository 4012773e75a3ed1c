/** Marks the pane that files can be dropped on. */
export const dropMark = { 'data-drops-files': '' }

export const dropSelector = '[data-drops-files]'
