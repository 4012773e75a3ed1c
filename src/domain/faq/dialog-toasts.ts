import { t } from '../../texts/faq-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { success, error } = toastsIn(t)

export const faqToasts = {
  categoriesFailed: error('faq.categoriesFailed'),
  failed: error('faq.failed'),
  refreshed: success('faq.refreshed'),
  created: success('faq.created'),
  updated: success('faq.updated'),
  saveFailed: error('faq.saveFailed'),
  deleted: success('faq.deleted'),
  deleteFailed: error('faq.deleteFailed'),
  testFailed: error('faq.testFailed'),
  wrongAnswersFailed: error('faq.wrongAnswersFailed'),
  resolved: success('faq.resolvedAnswer'),
  resolveFailed: error('faq.resolveFailed'),
  dryRunFailed: error('faq.dryRunFailed'),
  matchingFailed: error('faq.matchingFailed'),
  matchingSaved: success('faq.matchingSaved'),
  matchingSaveFailed: error('faq.matchingSaveFailed'),
} as const

/** Texts of the FAQ entry form. */
export const faqFormTexts = {
  get perhapsCreated() {
    return t('faq.formPerhapsCreated')
  },
} as const
