import { fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { problemReportMachine } from '../../../src/machines/shell/problem-report.ts'
import { createCoverage, follow } from '../../model/harness.ts'
import { problemReportModel } from '../../model/shell/problem-report-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'
import { expectToasts } from '../shown-toasts.ts'

const coverage = createCoverage(problemReportMachine)

const report = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save a problem report', hidden: true })

describe('The menu saves a report as its model specifies', () => {
  const paths = problemReportModel().everyTransition()

  it(`over ${paths.length} paths, one for each transition`, async () => {
    for (const path of paths) {
      const inbox = await showInbox({ inspect: coverage.inspect, withToasts: true })
      await inbox.answer('loadTop', listOf([]))
      const told = new Set<string>()
      await follow(
        path,
        {
          // Pressed twice: only one report is saved at a time.
          'report.requested': () => {
            fireEvent.click(report())
            fireEvent.click(report())
          },
          'xstate.done.actor.saveReport': () => inbox.answer('saveReport', undefined),
          'xstate.error.actor.saveReport': ({ error }) => inbox.fail('saveReport', error),
        },
        async ({ event, expected }) => {
          if (event.type === 'xstate.error.actor.saveReport') told.add('error: Failed to save the report')
          if (event.type === 'xstate.done.actor.saveReport')
            told.add(
              'success: Report saved as staff-inbox-report.json in your downloads. Give it to your administrator.',
            )
          await expectToasts([...told])
          // A report can be requested at any time, and the screen shows no state of it.
          expect([inbox.waiting('saveReport').length, report().disabled]).toEqual([
            expected.value === 'saving' ? 1 : 0,
            false,
          ])
        },
      )
      inbox.unmount()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
