import { clientDialogs } from './dialogs/client.ts'
import { commentsDialogs } from './dialogs/comments.ts'
import type { DialogEntries } from './dialogs/entry.ts'
import { faqDialogs } from './dialogs/faq.ts'
import { listDialogs } from './dialogs/list.ts'
import { pagesDialogs } from './dialogs/pages.ts'
import { reportsDialogs } from './dialogs/reports.ts'
import { sendDialogs } from './dialogs/send.ts'
import { sessionDialogs } from './dialogs/session.ts'
import { shellDialogs } from './dialogs/shell.ts'
import { syncDialogs } from './dialogs/sync.ts'
import { threadDialogs } from './dialogs/thread.ts'
import type { DialogName, LoadedDialog } from './machines/shell/dialog.ts'
import type { SessionServices } from './services-port.ts'

/** Every dialog. The machine, services and view of a dialog are loaded when the dialog is requested. */
export const dialogs: DialogEntries = {
  ...clientDialogs,
  ...commentsDialogs,
  ...faqDialogs,
  ...listDialogs,
  ...pagesDialogs,
  ...reportsDialogs,
  ...sendDialogs,
  ...sessionDialogs,
  ...shellDialogs,
  ...syncDialogs,
  ...threadDialogs,
}

/** Rejects if the code cannot be loaded. */
export async function loadDialog(name: DialogName, services: SessionServices): Promise<LoadedDialog> {
  const { loadTitle, loadView, loadMachine } = dialogs[name]
  const [title, { default: View }, logic] = await Promise.all([loadTitle(), loadView(), loadMachine(services)])
  // TypeScript cannot infer that the machine and the view belong to the same name.
  return { name, title, View, logic } as LoadedDialog
}

/** The data of dialogs that a problem report shows: their names, and the numbers typed into them. */
export const shownInReports = {
  names: Object.keys(dialogs),
  numbers: Object.values(dialogs).flatMap(({ numbersInReports }) => numbersInReports),
}
