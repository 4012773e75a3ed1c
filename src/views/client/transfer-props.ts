import type { DataTransferActor } from '../../machines/client/data-transfer.ts'

/** The props of the parts of the dialog 'Import and export'. */
export type TransferProps = { actor: DataTransferActor }
