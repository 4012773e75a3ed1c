import type { DialogLogics, DialogName, DialogView } from '../machines/shell/dialog.ts'
import type { SessionServices } from '../services-port.ts'

type DialogEntry<Name extends DialogName> = {
  /** Loads the heading. The view may show a different heading, as the image preview does. */
  loadTitle: () => Promise<string>
  loadView: () => Promise<{ default: DialogView<Name> }>
  /** The machine with its services. */
  loadMachine: (services: SessionServices) => Promise<DialogLogics[Name]>
  /** Fields of the machine whose typed numbers a problem report shows. All other texts of staff are masked. */
  numbersInReports: readonly string[]
}

/** The entry of every dialog. */
export type DialogEntries = { [Name in DialogName]: DialogEntry<Name> }
