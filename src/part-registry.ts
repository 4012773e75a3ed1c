import type { AnyActorLogic } from 'xstate'
import type { LaterPart } from './machines/shell/later-parts.ts'
import type { SessionServices } from './services-port.ts'

/** The parts that are loaded after the first rows, each with its services. `wasLeft`: as in `composeSession`. */
export const parts: Record<LaterPart, (services: SessionServices, wasLeft: () => boolean) => Promise<AnyActorLogic>> = {
  colleagues: async (services) => {
    const service = await services.loadColleagues()
    return (await import('./compose-colleagues.ts')).composeColleagues(service, services)
  },
  replyHelp: async (services) => {
    const service = await services.loadSavedReplies()
    return (await import('./compose-reply-help.ts')).composeReplyHelp(service, services)
  },
  stateChanges: async ({ loadStates }) => {
    const service = await loadStates()
    return (await import('./compose-state-changes.ts')).composeStateChanges(service)
  },
  summaryCheck: async ({ clients }) => (await import('./compose-summary-check.ts')).composeSummaryCheck(clients),
  around: async ({ loadSearch }) => (await import('./compose-messages-around.ts')).composeMessagesAround(loadSearch),
  clientSuggestions: async ({ loadClientWork }) =>
    (await import('./compose-client-suggestions.ts')).composeClientSuggestions(loadClientWork),
  attachedFiles: async (services, wasLeft) => {
    const service = await services.loadFileService()
    return (await import('./compose-attached-files.ts')).composeAttachedFiles(service, wasLeft)
  },
  answers: async (services) => {
    const service = await services.loadCommentService()
    return (await import('./compose-answers.ts')).composeAnswers(service, services)
  },
  pictureRenewal: async ({ clients }) => (await import('./compose-picture-renewal.ts')).composePictureRenewal(clients),
  messagePrefetch: async ({ messages }) =>
    (await import('./compose-message-prefetch.ts')).composeMessagePrefetch(messages),
  goneConversations: async ({ messages }) =>
    (await import('./compose-gone-conversations.ts')).composeGoneConversations(messages),
  notifications: async (services, wasLeft) => {
    const service = await services.loadNotifications()
    return (await import('./compose-notifications.ts')).composeNotifications(service, wasLeft)
  },
}
