import { expect, it } from 'vitest'
import { emptyDryRun, mostSamples, withPart } from '../../../src/domain/faq/dry-run-result.ts'
import type { FaqDryRunPart, FaqDryRunSample } from '../../../src/schemas/faq.ts'

const sample = (message_id: string): FaqDryRunSample => ({
  message_id,
  conversation_id: 'c',
  page_id: 'p',
  text: 'magkano',
  written_at: '2026-01-01T00:00:00Z',
  outcome: 'answered',
  doubt: null,
  entries: [],
})
const partOf = (rest: Partial<FaqDryRunPart>): FaqDryRunPart => ({
  total: 40,
  done: 20,
  outcomes: { answered: 1, staff: 2, recent: 3, doubtful: 4, none: 5 },
  contested: 1,
  entries: [],
  answered: [],
  several: [],
  unanswered: [],
  next: null,
  ...rest,
})

it('adds up the parts of a dry run, most answers first, with at most fifty examples', () => {
  const many = Array.from({ length: mostSamples - 1 }, (_, index) => sample(`m${index}`))
  const first = withPart(
    emptyDryRun,
    partOf({
      entries: [
        { id: 'a', title: 'A', count: 1 },
        { id: 'b', title: 'B', count: 2 },
      ],
      answered: many,
    }),
  )
  const both = withPart(
    first,
    partOf({
      done: 40,
      entries: [{ id: 'a', title: 'A', count: 3 }],
      answered: [sample('last'), sample('one too many')],
      several: [sample('s')],
    }),
  )
  expect(both).toEqual({
    total: 40,
    done: 40,
    outcomes: { answered: 2, staff: 4, recent: 6, doubtful: 8, none: 10 },
    contested: 2,
    entries: [
      { id: 'a', title: 'A', count: 4 },
      { id: 'b', title: 'B', count: 2 },
    ],
    samples: { answered: [...many, sample('last')], several: [sample('s')], unanswered: [] },
  })
})
