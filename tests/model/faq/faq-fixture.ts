import { createActor, type InspectionEvent, SimulatedClock } from 'xstate'
import { Failure, type FailureFacts } from '../../../src/domain/failure.ts'
import type { SavedFaq } from '../../../src/domain/faq/faq-calls.ts'
import type { FaqFields } from '../../../src/domain/faq/faq-fields.ts'
import { faqMachine } from '../../../src/machines/faq/faq.ts'
import { faqFormMachine } from '../../../src/machines/faq/faq-form.ts'
import { faqTestMachine } from '../../../src/machines/faq/faq-test.ts'
import type { FaqCategory, FaqEntry, FaqTestResult } from '../../../src/schemas/faq.ts'
import { createControl, createToastLog } from '../harness.ts'

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
  test: createControl<FaqTestResult, { message: string }>(),
})
type Controls = ReturnType<typeof controlsOfFaq>

const formOn = ({ save }: Pick<Controls, 'save'>) => faqFormMachine.provide({ actors: { saveFaq: save.logic } })
const testOn = ({ test }: Pick<Controls, 'test'>) => faqTestMachine.provide({ actors: { testMatch: test.logic } })

const faqOn = (controls: Controls) =>
  faqMachine.provide({
    actors: {
      faqForm: formOn(controls),
      faqTest: testOn(controls),
      loadCategories: controls.categories.logic,
      loadEntries: controls.entries.logic,
      deleteFaq: controls.remove.logic,
    },
  })

type Inspect = (event: InspectionEvent) => void
const nothing: Inspect = () => {}

function createEar(alsoInspect: Inspect) {
  const log = createToastLog()
  const inspect: Inspect = (event) => {
    alsoInspect(event)
    log.inspect(event)
  }
  return { inspect, toasts: log.toasts }
}

export function startFaq(alsoInspect: Inspect = nothing) {
  const controls = controlsOfFaq()
  const { inspect, toasts } = createEar(alsoInspect)
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

export function startFaqForm(entry: FaqEntry | null, alsoInspect: Inspect = nothing) {
  const { save } = controlsOfFaq()
  const { inspect, toasts } = createEar(alsoInspect)
  const actor = createActor(formOn({ save }), { input: { item: entry }, inspect }).start()
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
  const { inspect, toasts } = createEar(alsoInspect)
  const actor = createActor(testOn({ test }), { inspect }).start()
  return { test, actor, toasts, state: () => actor.getSnapshot().value, context: () => actor.getSnapshot().context }
}
