import { useEffect, useRef, useState } from 'react'
import type { NewClient } from '../../domain/client/client-linking.ts'
import { newClientLimits } from '../../domain/client/new-client.ts'
import {
  type LinkClientActor,
  selectCreateBlockedReason,
  selectFields,
  selectProblems,
} from '../../machines/client/link-client.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { Field, NeededNote } from '../components/Field.tsx'
import { SubmitButton } from '../components/SubmitButton.tsx'
import { useSelector } from '../use-selector.ts'

/**
 * The form for a new client (spec section 2, Link Client modal). A field shows that it is incomplete once it has lost
 * the focus.
 */
export function NewClientForm({ actor, creating }: { actor: LinkClientActor; creating: boolean }) {
  const fields = useSelector(actor, selectFields)
  const problems = useSelector(actor, selectProblems)
  const blockedReason = useSelector(actor, selectCreateBlockedReason)
  const form = useRef<HTMLFormElement>(null)
  // A restored email address counts as a field that has lost the focus.
  const [left, setLeft] = useState<ReadonlySet<keyof NewClient>>(() => new Set(fields.email === '' ? [] : ['email']))
  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  const bind = (name: keyof NewClient) => ({
    name,
    value: fields[name],
    maxLength: newClientLimits[name],
    autoComplete: 'off',
    readOnly: creating,
    error: left.has(name) ? problems[name] : null,
    onBlur: () => setLeft((before) => new Set([...before, name])),
    onChange: (event: { target: { value: string } }) =>
      actor.send({ type: 'fields.typed', fields: { ...fields, [name]: event.target.value } }),
  })
  return (
    <form
      ref={form}
      noValidate
      aria-label={t('client.newClient')}
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        actor.send({ type: 'form.submitted' })
      }}
    >
      <div className="scroller grid min-h-0 flex-1 content-start gap-4 px-4 py-4">
        <div className="grid grid-cols-2 items-start gap-3">
          <Field label={t('client.firstName')} required {...bind('firstName')} />
          <Field label={t('client.lastName')} required {...bind('lastName')} />
        </div>
        <Field label={t('client.email')} type="email" {...bind('email')} />
        <Field label={t('client.phone')} type="tel" {...bind('phone')} />
        <Field label={t('client.company')} {...bind('company')} />
      </div>
      <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">
        <NeededNote />
        <Button disabled={creating} onClick={() => actor.send({ type: 'form.cancelled' })}>
          {t('shared.cancel')}
        </Button>
        <SubmitButton busy={creating} blockedReason={blockedReason}>
          {creating ? t('client.creating') : t('client.createAndLink')}
        </SubmitButton>
      </footer>
    </form>
  )
}
