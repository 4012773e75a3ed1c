import { useEffect, useRef } from 'react'
import { eraseWord } from '../../domain/client/erase-word.ts'
import {
  selectIsConfirmed,
  selectIsExporting,
  selectIsLinked,
  selectMayErase,
  selectMayExport,
  selectName,
  selectStep,
  selectWord,
} from '../../machines/client/personal-data.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
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
  const isLinked = useSelector(actor, selectIsLinked)
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
          <Button aria-disabled={isExporting} onClick={() => actor.send({ type: 'export.requested' })}>
            {isExporting ? t('client.exporting') : t('client.export')}
          </Button>
        </section>
      )}
      {mayErase && (
        <form
          className="grid gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            actor.send({ type: 'erase.requested' })
          }}
        >
          <p>
            <FilledText parts={shownName}>{(marks) => t('client.eraseQuestion', marks)}</FilledText>
            {isLinked && ` ${t('client.eraseKeepsClient')}`}
          </p>
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
