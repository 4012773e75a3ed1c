import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import { migrationMachine } from '../../../src/machines/session/migration.ts'
import MigrationDialog from '../../../src/views/session/MigrationDialog.tsx'
import { createCoverage, follow, settled } from '../../model/harness.ts'
import {
  driveMigration,
  migrationModel,
  type StartedMigration,
  startMigration,
} from '../../model/session/migration-fixture.ts'

const coverage = createCoverage(migrationMachine)

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))

/** Actions of the user run in the dialog. The test resolves the responses of services. */
function drive(sut: StartedMigration) {
  const outside = Object.fromEntries(
    Object.entries(driveMigration(sut)).map(([type, run]) => [
      type,
      (event: AnyEventObject) =>
        act(async () => {
          await run(event)
          await settled()
        }),
    ]),
  )
  return {
    ...outside,
    'migration.submitted': async ({ password }: AnyEventObject) => {
      for (const label of ['New password', 'Repeat new password'])
        fireEvent.change(screen.getByLabelText(label), { target: { value: password } })
      await press('Set password and sign in')
    },
    'migration.resumed': () => press('Try again'),
    'dialog.dismissed': () => press('Cancel'),
  }
}

const shown = () => {
  const dialog = screen.getByRole('dialog', { name: 'Set a new password' })
  const field = within(dialog).queryByLabelText('New password')
  const button = dialog.querySelector('[type=submit]')
  const ids = field?.getAttribute('aria-describedby')?.split(' ') ?? []
  const error = ids.map((id) => document.getElementById(id)).find((element) => element?.matches('.text-bad'))
  return {
    asks: field !== null,
    button: button?.textContent,
    mayPress: button?.getAttribute('aria-disabled') === 'false',
    alert: within(dialog).getByRole('alert').textContent || null,
    atField: error?.textContent ?? null,
  }
}

describe('The dialog shows the state of migration, over every transition', () => {
  it.each(migrationModel().everyTransitionInFewPaths())('path %$', async (path) => {
    const sut = startMigration(coverage.inspect)
    const view = render(
      <MigrationDialog actor={sut.actor} onDismiss={() => sut.actor.send({ type: 'dialog.dismissed' })} />,
    )
    await act(async () => {})
    await follow(path, drive(sut), ({ expected }) => {
      const { failure } = expected.context
      if (expected.status === 'done') return expect(sut.actor.getSnapshot().output).toBe(expected.output)
      const isInterrupted = expected.matches('interrupted')
      expect(shown()).toEqual({
        asks: !isInterrupted,
        button: isInterrupted ? 'Try again' : expected.hasTag('working') ? 'Saving…' : 'Set password and sign in',
        mayPress: !expected.hasTag('working'),
        alert: failure?.at === 'dialog' ? failure.text : null,
        atField: failure?.at === 'password' ? failure.text : null,
      })
    })
    view.unmount()
    sut.actor.stop()
  })
})

describe('The walk of the migration dialog', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
