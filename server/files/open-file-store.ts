import { join } from 'node:path'
import type { Settings } from '../settings.ts'
import type { FileStore } from './file-store.ts'
import { createFolderStore } from './folder-store.ts'

export const filesIn = (dataDir: string) => join(dataDir, 'files')

/** The S3 bucket of the settings, else the folder `files` in the data directory. */
export function openFileStore({ dataDir }: Pick<Settings, 'dataDir' | 'files'>): FileStore {
  return createFolderStore(filesIn(dataDir))
}
