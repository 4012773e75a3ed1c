import { useEffect, useRef } from 'react'
import { eraseWord } from '../../domain/client/erase-word.ts'
import {
  selectErasable,
  selectIsConfirmed,
  selectIsExporting,
  selectIsLoading,
  selectMayErase,
  selectMayExport,
  selectName,
  selectStep,
  selectWithClient,
  selectWord,
} from '../../machines/client/personal-data.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import type { Erasable } from '../../schemas/person.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { Field } from '../components/Field.tsx'
import { FilledText } from '../components/FilledText.tsx'
import { useSelector } from '../use-selector.ts'

/** Saves the data of a person as a file, and erases the person. */
export default function PersonalDataDialog({ actor, title, onDismiss }: DialogProps<'personalData'>) {
  const step = useSelector(actor, selectStep)
  const close = useRef<HTMLButtonElement>(null)

  // A step replaces the buttons of the step before, and one of these had the focus.
  useEffect(() => {
    if (step !== 'asking') close.current?.focus()
  }, [step])

  return (
    <DialogFrame title={title} onDismiss={onDismiss} staysOnPressOutside className="w-120 max-w-full">
      {step === 'asking' && <Asking actor={actor} />}
      {step !== 'asking' && (
        <>
          <p role="status" className="p-4">
            {step === 'erasing' && t('client.erasing')}
            {step === 'failed' && t('client.eraseUncertain')}
            {step === 'done' && t('client.erased')}
          </p>
          <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">
            {step === 'failed' && (
              <Button variant="danger" onClick={() => actor.send({ type: 'erase.requested' })}>
                {t('shared.tryAgain')}
              </Button>
            )}
            <Button ref={close} onClick={onDismiss}>
              {step === 'done' ? t('client.leavePersonalData') : t('shared.close')}
            </Button>
          </footer>
        </>
      )}
    </DialogFrame>
  )
}

function Asking({ actor }: Pick<DialogProps<'personalData'>, 'actor'>) {
  const name = useSelector(actor, selectName)
  const word = useSelector(actor, selectWord)
  const erasable = useSelector(actor, selectErasable)
  const isLoading = useSelector(actor, selectIsLoading)
  const mayExport = useSelector(actor, selectMayExport)
  const mayErase = useSelector(actor, selectMayErase)
  const isConfirmed = useSelector(actor, selectIsConfirmed)
  const isExporting = useSelector(actor, selectIsExporting)
  const shownName = { name: <bdi>{name}</bdi> }
  return (
    <div className="grid gap-5 overflow-y-auto p-4">
      {mayExport && (
        <section className="grid justify-items-start gap-2">
          <p>
            <FilledText parts={shownName}>{(marks) => t('client.exportQuestion', marks)}</FilledText>
          </p>
          <Button aria-disabled={isExporting || isLoading} onClick={() => actor.send({ type: 'export.requested' })}>
            {isExporting ? t('client.exporting') : t('client.export')}
          </Button>
        </section>
      )}
      {mayErase && erasable === null && (
        <section className="grid justify-items-start gap-2">
          <p role="status">{isLoading ? t('client.erasableLoading') : t('client.erasableNotLoaded')}</p>
          {!isLoading && (
            <Button onClick={() => actor.send({ type: 'refetch.requested' })}>{t('shared.tryAgain')}</Button>
          )}
        </section>
      )}
      {erasable !== null && (
        <form
          className="grid gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            actor.send({ type: 'erase.requested' })
          }}
        >
          <p>
            <FilledText parts={shownName}>{(marks) => t('client.eraseQuestion', marks)}</FilledText>
          </p>
          <p>{t('client.eraseCounts', { messages: erasable.messages, files: erasable.files })}</p>
          <ClientPart actor={actor} client={erasable.client} />
          <Field
            label={t('client.eraseConfirm', { word: eraseWord() })}
            value={word}
            autoComplete="off"
            onChange={(event) => actor.send({ type: 'word.typed', word: event.target.value })}
          />
          <Button type="submit" variant="danger" className="justify-self-start" disabled={!isConfirmed || isExporting}>
            {t('client.erase')}
          </Button>
        </form>
      )}
    </div>
  )
}

/** The linked client: erased only on request, and never if another person is linked to it. */
function ClientPart({ actor, client }: Pick<DialogProps<'personalData'>, 'actor'> & { client: Erasable['client'] }) {
  const withClient = useSelector(actor, selectWithClient)
  if (client === null) return null
  const shown = { client: <bdi>{client.name}</bdi> }
  if (client.is_shared) {
    return (
      <p>
        <FilledText parts={shown}>{(marks) => t('client.eraseSharedClient', marks)}</FilledText>
      </p>
    )
  }
  const { orders, payments } = client
  return (
    <>
      <label className="flex touch:min-h-11 items-start gap-2">
        <input
          type="checkbox"
          className="mt-1 accent-accent"
          checked={withClient}
          onChange={(event) => actor.send({ type: 'client.toggled', withClient: event.target.checked })}
        />
        <span>
          <FilledText parts={shown}>{(marks) => t('client.eraseClient', { ...marks, orders, payments })}</FilledText>
        </span>
      </label>
      {!withClient && (
        <p className="text-ink-2">
          <FilledText parts={shown}>{(marks) => t('client.eraseKeepsClient', marks)}</FilledText>
        </p>
      )}
    </>
  )
}
