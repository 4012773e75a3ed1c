import { createBrowserInspector, type StatelyInspectionEvent } from '@statelyai/inspect'
import { maskedCopy } from './masked.ts'

/** The event as plain data, without what the other window must not learn. */
export const shown = (event: StatelyInspectionEvent): StatelyInspectionEvent =>
  JSON.parse(JSON.stringify(maskedCopy(event)))

/**
 * Opens the Stately inspector in a window of its own and returns what `createActor` takes as `inspect`. Development
 * only: `npm run inspect`.
 */
export const openInspector = () => createBrowserInspector({ serialize: shown }).inspect
