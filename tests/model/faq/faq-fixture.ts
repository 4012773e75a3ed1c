import { createActor, SimulatedClock } from 'xstate'
import { Failure, type FailureFacts } from '../../../src/domain/failure.ts'
import type { AnswerMark, DryRunRequest, SavedFaq, TestedMessage } from '../../../src/domain/faq/faq-calls.ts'
import type { FaqFields } from '../../../src/domain/faq/faq-fields.ts'
import { answerMarkMachine } from '../../../src/machines/faq/answer-mark.ts'
import { faqMachine } from '../../../src/machines/faq/faq.ts'
import { faqDryRunMachine } from '../../../src/machines/faq/faq-dry-run.ts'
import { faqFormMachine } from '../../../src/machines/faq/faq-form.ts'
import { faqTestMachine } from '../../../src/machines/faq/faq-test.ts'
import { faqWrongAnswersMachine } from '../../../src/machines/faq/faq-wrong-answers.ts'
import type { FaqCategory, FaqDryRunPart, FaqEntry, FaqTestResult, FaqWrongAnswers } from '../../../src/schemas/faq.ts'
import type { Message } from '../../../src/schemas/message.ts'
import { createControl, createToastLog, type Inspect } from '../harness.ts'

export const categories: readonly FaqCategory[] = [
  { id: 'c1', name: 'Payments' },
  { id: 'c2', name: 'Delivery' },
]

export const entryOf = (id: string, rest: Partial<FaqEntry> = {}): FaqEntry => ({
  id,
  title: `Title ${id}`,
  category_id: 'c1',
  category_name: 'Payments',
  keywords: [`keyword ${id}`],
  response: `Response ${id}`,
  is_active: true,
  priority: 5,
  created_by_name: 'Ana Reyes',
  created_at: '2026-01-05T12:00:00Z',
  ...rest,
})

export const complete: Partial<FaqFields> = {
  title: 'Hours',
  categoryId: 'c2',
  keywords: ['open'],
  response: 'From 9.',
}

const failure = (facts: Partial<FailureFacts>) =>
  new Failure({ method: 'POST', path: '/faq/entries', kind: 'status', ...facts })

/** The possible failures of a call. */
export const faqFaults = {
  noAnswer: failure({ kind: 'noAnswer' }),
  broken: failure({ status: 500 }),
  unreadable: failure({ kind: 'badAnswer', status: 200 }),
  refused: failure({ status: 422, error: 'There is no such category' }),
  unnamed: failure({ status: 422 }),
  forbidden: failure({ status: 403, details: { requiredPermission: 'faq.manage' } }),
}

const controlsOfFaq = () => ({
  categories: createControl<readonly FaqCategory[]>(),
  entries: createControl<readonly FaqEntry[]>(),
  remove: createControl<void, { id: string }>(),
  save: createControl<void, SavedFaq>(),
  test: createControl<FaqTestResult, TestedMessage>(),
  dryRun: createControl<FaqDryRunPart, DryRunRequest>(),
  wrongAnswers: createControl<FaqWrongAnswers>(),
  resolveAnswer: createControl<void, { messageId: string }>(),
})
type Controls = ReturnType<typeof controlsOfFaq>

const formOn = ({ save }: Pick<Controls, 'save'>) => faqFormMachine.provide({ actors: { saveFaq: save.logic } })
const testOn = ({ test }: Pick<Controls, 'test'>) => faqTestMachine.provide({ actors: { testMatch: test.logic } })

const dryRunOn = ({ dryRun }: Pick<Controls, 'dryRun'>) =>
  faqDryRunMachine.provide({ actors: { dryRun: dryRun.logic } })
const wrongAnswersOn = ({ wrongAnswers, resolveAnswer }: Pick<Controls, 'wrongAnswers' | 'resolveAnswer'>) =>
  faqWrongAnswersMachine.provide({
    actors: { loadWrongAnswers: wrongAnswers.logic, resolveWrongAnswer: resolveAnswer.logic },
  })

const faqOn = (controls: Controls) =>
  faqMachine.provide({
    actors: {
      faqForm: formOn(controls),
      faqTest: testOn(controls),
      faqDryRun: dryRunOn(controls),
      faqWrongAnswers: wrongAnswersOn(controls),
      loadCategories: controls.categories.logic,
      loadEntries: controls.entries.logic,
      deleteFaq: controls.remove.logic,
    },
  })

const nothing: Inspect = () => {}

export function startFaq(alsoInspect: Inspect = nothing) {
  const controls = controlsOfFaq()
  const { inspect, toasts } = createToastLog(alsoInspect)
  const clock = new SimulatedClock()
  const actor = createActor(faqOn(controls), { inspect, clock }).start()
  return {
    ...controls,
    clock,
    actor,
    toasts,
    state: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
  }
}

export function startFaqForm(
  entry: FaqEntry | null,
  alsoInspect: Inspect = nothing,
  entries: readonly FaqEntry[] = [],
) {
  const { save } = controlsOfFaq()
  const { inspect, toasts } = createToastLog(alsoInspect)
  const actor = createActor(formOn({ save }), { input: { item: entry, entries }, inspect }).start()
  return {
    save,
    actor,
    toasts,
    state: () => actor.getSnapshot().value,
    fields: () => actor.getSnapshot().context.fields,
    error: () => actor.getSnapshot().context.error,
    output: () => actor.getSnapshot().output,
    type: (change: Partial<FaqFields>) => actor.send({ type: 'fields.typed', change }),
  }
}

export function startFaqTest(alsoInspect: Inspect = nothing) {
  const { test } = controlsOfFaq()
  const { inspect, toasts } = createToastLog(alsoInspect)
  const actor = createActor(testOn({ test }), { inspect }).start()
  return { test, actor, toasts, state: () => actor.getSnapshot().value, context: () => actor.getSnapshot().context }
}

export function startFaqDryRun(alsoInspect: Inspect = nothing) {
  const { dryRun } = controlsOfFaq()
  const { inspect, toasts } = createToastLog(alsoInspect)
  const clock = new SimulatedClock()
  const actor = createActor(dryRunOn({ dryRun }), { inspect, clock }).start()
  return { dryRun, clock, actor, toasts, context: () => actor.getSnapshot().context }
}

export function startFaqWrongAnswers(alsoInspect: Inspect = nothing) {
  const { wrongAnswers, resolveAnswer } = controlsOfFaq()
  const { inspect, toasts } = createToastLog(alsoInspect)
  const clock = new SimulatedClock()
  const actor = createActor(wrongAnswersOn({ wrongAnswers, resolveAnswer }), { inspect, clock }).start()
  return { wrongAnswers, resolveAnswer, clock, actor, toasts, context: () => actor.getSnapshot().context }
}

export function startAnswerMark(alsoInspect: Inspect = nothing) {
  const mark = createControl<Message, AnswerMark>()
  const told: unknown[] = []
  const { inspect, toasts } = createToastLog((event) => {
    alsoInspect(event)
    if (event.type === '@xstate.event' && event.event.type === 'messages.changed') told.push(event.event)
  })
  const machine = answerMarkMachine.provide({ actors: { markAnswer: mark.logic } })
  const actor = createActor(machine, { inspect }).start()
  return { mark, actor, toasts, told, state: () => actor.getSnapshot().value }
}

/** What the form of an entry sends. */
export const hoursBody = {
  title: 'Hours',
  category_id: 'c1',
  keywords: ['open'],
  response: 'From 9.',
  is_active: true,
  priority: 0,
}
/** A match of that entry, as the test of a message answers. */
export const hoursMatch = { id: 'e1', title: 'Hours', category: 'Payments', priority: 5, matched_keywords: ['open'] }
