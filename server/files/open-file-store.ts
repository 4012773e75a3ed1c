import { join } from 'node:path'
import type { Settings } from '../settings.ts'
import type { FileStore } from './file-store.ts'
import { createFolderStore } from './folder-store.ts'
import { createS3Store } from './s3-store.ts'

/** The S3 bucket of the settings, else the folder `files` in the data directory. */
export function openFileStore({
  dataDir,
  files,
}: Pick<Settings, 'dataDir'> & { files: Pick<Settings['files'], 's3'> }): FileStore {
  return files.s3 === undefined ? createFolderStore(join(dataDir, 'files')) : createS3Store(files.s3)
}
