import { render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { AnyEventObject } from 'xstate'
import { clientLanguageMachine } from '../../../src/machines/client/client-language.ts'
import '../../../src/views/client/LanguageLine.tsx'
import ClientLanguageDialog from '../../../src/views/client/ClientLanguageDialog.tsx'
import { clientOf } from '../../model/client/clients-fixture.ts'
import { clientLanguageModel, startClientLanguage } from '../../model/client/summary-check-fixture.ts'
import { createCoverage, driverOf, follow } from '../../model/harness.ts'
import { row } from '../../model/inbox-fixture.ts'
import { answered, press } from '../driving.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'

const coverage = createCoverage(clientLanguageMachine)

describe('The dialog of the language of summaries', () => {
  it.each(clientLanguageModel().everyTransitionInFewPaths())('shows every state: path %$', async (path) => {
    const sut = startClientLanguage(coverage.inspect)
    const view = render(
      <ClientLanguageDialog
        actor={sut.actor as never}
        title="Language of summaries"
        onDismiss={() => sut.actor.send({ type: 'dialog.dismissed' })}
      />,
    )
    const drive = driverOf(
      ({ type, language }: AnyEventObject) =>
        press(type === 'dialog.dismissed' ? 'Close' : language === 'fil' ? 'Filipino' : 'English'),
      { calls: { saveLanguage: answered(sut.save) } },
    )
    await follow(path, drive, ({ expected }) => {
      if (expected.status !== 'active') return
      const isSaving = expected.matches('saving')
      const shown = ['English', 'Filipino'].map((name) => {
        const button = screen.getByRole<HTMLButtonElement>('button', { name })
        const icon = ['check', 'loader-circle'].find((one) => button.querySelector(`.lucide-${one}`))
        return [button.ariaPressed, button.disabled, button.getAttribute('aria-busy'), icon]
      })
      const chosen = expected.context.chosen
      expect(shown).toEqual(
        ['en', 'fil'].map((one) => [
          String(one === chosen),
          isSaving,
          String(isSaving && one === chosen),
          one === chosen ? (isSaving ? 'loader-circle' : 'check') : undefined,
        ]),
      )
    })
    view.unmount()
  })

  it('begins with the chosen language', async () => {
    const sut = startClientLanguage()
    const view = render(<ClientLanguageDialog actor={sut.actor as never} title="Language" onDismiss={() => {}} />)
    await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'English' })))
    view.unmount()
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})

describe('The language in the details of a client', () => {
  const open = async (person: Partial<typeof user>) => {
    const inbox = await showInbox({ person: { ...user, permissions: ['conversations.manage'], ...person } })
    await inbox.answer('loadTop', listOf([row('c1', 1, { client_id: 'k1' })]))
    await inbox.open('c1')
    await inbox.answer('loadMessages', { messages: [], hasMore: false })
    await inbox.answer('loadProfile', { client: clientOf('k1', { language: 'fil' }) })
    return inbox
  }
  const button = () => screen.queryByRole('button', { name: 'Change the language of summaries' })

  it('is shown, and can be changed by people who may manage conversations', async () => {
    const inbox = await open({ features: ['summaries'] })
    expect([screen.queryByText('Summaries in Filipino') !== null, button() !== null]).toEqual([true, true])
    await expectScreen()
    inbox.unmount()
  })

  it('is the language in which the next summary is requested', async () => {
    const inbox = await open({ features: ['summaries'] })
    await press('Orders')
    expect(inbox.waiting('fetchOrders')).toMatchObject([{ language: 'fil' }])
    inbox.unmount()
  })

  it('is shown without the button to people who may not change it', async () => {
    const inbox = await open({ features: ['summaries'], permissions: ['conversations.read'] })
    expect([screen.queryByText('Summaries in Filipino') !== null, button()]).toEqual([true, null])
    inbox.unmount()
  })

  it('is not shown for an API that does not know it', async () => {
    const inbox = await open({ features: [] })
    expect(screen.queryByText(/Summaries in/)).toBeNull()
    inbox.unmount()
  })
})
