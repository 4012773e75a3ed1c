import { type AnyActorLogic, fromPromise } from 'xstate'
import { answerFlowMachine } from './machines/comments/answer-flow.ts'
import { answersMachine } from './machines/comments/answers.ts'
import type { SessionServices } from './services-port.ts'

/** `answers` with its services, in code that is loaded after the first rows. The outbox deletes what is stored at a sign-out. */
export const composeAnswers = (
  service: Awaited<ReturnType<SessionServices['loadCommentService']>>,
  { outboxStorage: { answers: storage }, isOnline }: Pick<SessionServices, 'outboxStorage' | 'isOnline'>,
): AnyActorLogic =>
  answersMachine.provide({
    actors: {
      answerFlow: answerFlowMachine.provide({
        actors: {
          sendReply: fromPromise(({ input }) => service.sendReply(input)),
          findAnswer: fromPromise(({ input, signal }) => service.findAnswer(input, signal)),
        },
        guards: { isOnline },
      }),
      loadAnswers: fromPromise(({ input }) => storage.load(input)),
    },
    actions: {
      store: (_, { staffId, answers }) => {
        for (const answer of answers) storage.store(staffId, answer)
      },
      forget: (_, { keys }) => {
        for (const key of keys) storage.forget(key)
      },
    },
  })
