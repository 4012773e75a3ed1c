import type { ReactNode } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { creationForm } from '../machines/creation-form.ts'
import { t } from '../texts/shared-on-demand.ts'
import { classNames } from './components/class-names.ts'
import { DialogFrame } from './components/DialogFrame.tsx'
import { FormFrame } from './components/FormFrame.tsx'
import { NotLoaded } from './components/TryAgain.tsx'
import { useItemForm } from './use-item-form.ts'
import { useSelector } from './use-selector.ts'

type Form<Input, Facts, Fields extends object, Body> = ReturnType<typeof creationForm<Input, Facts, Fields, Body>>

/** The fields that are shown, and the function that changes them. */
export type FieldsProps<Fields> = { fields: Fields; saving: boolean; onChange: (change: Partial<Fields>) => void }

type CreationDialogProps<Input, Facts, Fields extends object, Body> = {
  actor: ActorRefFrom<Form<Input, Facts, Fields, Body>['machine']>
  form: Form<Input, Facts, Fields, Body>
  title: string
  onDismiss: () => void
  texts: { loading: string; notLoaded: string; submit: string }
  /** The width from 640 px on. A phone shows the dialog on the whole screen. */
  className: string
  children: (props: FieldsProps<Fields>) => ReactNode
}

/** A dialog with the form of one new item (`creationForm`). */
export function CreationDialog<Input, Facts, Fields extends object, Body>({
  actor,
  form,
  title,
  onDismiss,
  texts,
  className,
  children,
}: CreationDialogProps<Input, Facts, Fields, Body>) {
  const isLoading = useSelector(actor, form.selectIsLoading)
  const hasFailed = useSelector(actor, form.selectHasFailed)
  const blockedReason = useSelector(actor, form.selectBlockedReason)
  const { fields, change, isSaving, frame } = useItemForm<Fields>(actor)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      staysOnPressOutside
      className={classNames('max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0', className)}
    >
      {hasFailed ? (
        <NotLoaded text={texts.notLoaded} onRetry={() => actor.send({ type: 'refetch.requested' })} />
      ) : isLoading ? (
        <p role="status" className="px-4 py-8 text-center text-ink-2">
          {texts.loading}
        </p>
      ) : (
        <FormFrame
          {...frame}
          label={title}
          blockedReason={blockedReason}
          submit={isSaving ? t('shared.saving') : texts.submit}
        >
          {children({ fields, saving: isSaving, onChange: change })}
        </FormFrame>
      )}
    </DialogFrame>
  )
}
