import { t } from '../../texts/client-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { success, warning, error } = toastsIn(t)

export const linkToasts = {
  linked: success('client.linkLinked'),
  createdAndLinked: success('client.linkCreatedAndLinked'),
  createdLinkedLater: success('client.linkCreatedLinkedLater'),
  searchFailed: error('client.linkSearchFailed'),
  linkFailed: error('client.linkLinkFailed'),
  createFailed: error('client.linkCreateFailed'),
  createdNotLinked: error('client.linkCreatedNotLinked'),
  alreadyLinked: warning('client.linkAlreadyLinked'),
} as const

export const chatToasts = {
  loadFailed: error('client.chatsFailed'),
  searchFailed: error('client.chatSearchFailed'),
  done: {
    unlink: success('client.unlinkDone'),
    split: success('client.splitDone'),
    join: success('client.joinDone'),
  },
  failed: {
    unlink: error('client.unlinkFailed'),
    split: error('client.splitFailed'),
    join: error('client.joinFailed'),
  },
} as const

export const personToasts = {
  exported: success('client.personExported'),
  exportFailed: error('client.personExportFailed'),
  erasableFailed: error('client.erasableFailed'),
  eraseFailed: error('client.personEraseFailed'),
} as const

export const languageToasts = {
  saved: success('client.languageSaved'),
  failed: error('client.languageFailed'),
} as const

export const editToasts = {
  loadFailed: error('client.editNotLoaded'),
  saved: success('client.editSaved'),
  saveFailed: error('client.editFailed'),
  changed: warning('client.editChanged'),
} as const

export const removalToasts = {
  loadFailed: error('client.summaryNotLoaded'),
  removed: success('client.removeDone'),
  removeFailed: error('client.removeFailed'),
  merged: success('client.mergeDone'),
  mergeFailed: error('client.mergeFailed'),
  listFailed: error('client.removedNotLoaded'),
  restored: success('client.restoreDone'),
  restoreFailed: error('client.restoreFailed'),
} as const

export const suggestionToasts = { dismissFailed: error('client.suggestionNotDismissed') } as const

/** Texts of the new client form. */
export const newClientTexts = {
  get perhapsCreated() {
    return t('client.newClientPerhapsCreated')
  },
} as const

export const shopToasts = {
  failed: error('client.shopsFailed'),
  connected: success('client.shopConnected'),
  notConnected: error('client.shopNotConnected'),
  runNotChanged: error('client.shopRunNotChanged'),
  disconnected: success('client.shopDisconnected'),
  disconnectedHere: warning('client.shopDisconnectedHere'),
  notDisconnected: error('client.shopNotDisconnected'),
} as const
