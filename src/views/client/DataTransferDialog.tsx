import { can } from '../../domain/session/permissions.ts'
import { selectTransferStep } from '../../machines/client/data-transfer.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { useUser } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'
import { ExportChoice, ImportChoice } from './TransferStart.tsx'
import { CurrentImport } from './TransferSteps.tsx'

/** Imports of CSV files with their preview and progress, and exports. */
export default function DataTransferDialog({ actor, title, onDismiss }: DialogProps<'dataTransfer'>) {
  const user = useUser()
  const step = useSelector(actor, selectTransferStep)
  const isChoosing = step === 'notOffered' || step === 'choosing' || step === 'loading' || step === 'failed'
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      staysOnPressOutside={!isChoosing}
      className="h-170 w-200 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      {isChoosing ? (
        <div className="scroller min-h-0 flex-1">
          {step !== 'notOffered' && <ImportChoice actor={actor} />}
          {can(user, 'data.export') && <ExportChoice actor={actor} />}
        </div>
      ) : (
        <CurrentImport actor={actor} />
      )}
    </DialogFrame>
  )
}
