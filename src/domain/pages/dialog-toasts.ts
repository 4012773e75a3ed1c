import { t } from '../../texts/pages-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { success, error } = toastsIn(t)

export const pageDialogToasts = {
  tokenMissing: error('pages.tokenMissing'),
  verified: success('pages.verified'),
  verifyRefused: (reason: string) => error('pages.verifyRefused', { reason }),
  verifyFailed: error('pages.verifyFailed'),
  add: {
    done: success('pages.addDone'),
    refused: (reason: string) => error('pages.addRefused', { reason }),
    failed: error('pages.addFailed'),
  },
  update: {
    done: success('pages.updateDone'),
    refused: (reason: string) => error('pages.updateRefused', { reason }),
    failed: error('pages.updateFailed'),
  },
  deleted: success('pages.deleted'),
  deleteRefused: (reason: string) => error('pages.deleteRefused', { reason }),
  deleteFailed: error('pages.deleteFailed'),
  pictures: success('pages.pictures'),
  picturesFailed: {
    pages: error('pages.picturesFailedPages'),
    all: error('pages.picturesFailedAll'),
  },
} as const
