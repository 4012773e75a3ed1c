import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { NewClient } from '../../domain/client/client-linking.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { Field, NeededNote } from '../components/Field.tsx'
import { SubmitButton } from '../components/SubmitButton.tsx'

type NewClientFormProps = {
  fields: NewClient
  creating: boolean
  onChange: (fields: NewClient) => void
  onSubmit: () => void
  onCancel: () => void
}

type FieldErrors = Partial<Record<keyof NewClient, string>>

/** What is missing or cannot be right before anybody can be created (spec section 5). */
function errorsIn({ firstName, lastName }: NewClient, isAddress: boolean): FieldErrors {
  return {
    ...(firstName.trim() === '' && { firstName: t('client.firstNameMissing') }),
    ...(lastName.trim() === '' && { lastName: t('client.lastNameMissing') }),
    ...(!isAddress && { email: t('shared.emailInvalid') }),
  }
}

/**
 * The form for a new client (spec section 2, Link Client modal). What is missing is said at its field, once that was left.
 */
export function NewClientForm({ fields, creating, onChange, onSubmit, onCancel }: NewClientFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const email = useRef<HTMLInputElement>(null)
  const [isAddress, setAddress] = useState(true)
  // An address that was kept from before was left then.
  const [left, setLeft] = useState<ReadonlySet<keyof NewClient>>(() => new Set(fields.email === '' ? [] : ['email']))
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  // The browser knows what is of its type 'email', and knows it of what stands in the field.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what stands there is `fields.email`
  useEffect(() => setAddress(email.current?.validity.typeMismatch !== true), [fields.email])
  const errors = errorsIn(fields, isAddress)

  const bind = (name: keyof NewClient) => ({
    name,
    value: fields[name],
    readOnly: creating,
    error: (left.has(name) && errors[name]) || null,
    onBlur: () => setLeft((before) => new Set([...before, name])),
    onChange: (event: { target: { value: string } }) => onChange({ ...fields, [name]: event.target.value }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form
      ref={form}
      noValidate
      aria-label={t('client.newClient')}
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={submit}
    >
      <div className="scroller grid min-h-0 flex-1 content-start gap-4 px-4 py-4">
        <div className="grid grid-cols-2 items-start gap-3">
          <Field label={t('client.firstName')} required maxLength={100} autoComplete="off" {...bind('firstName')} />
          <Field label={t('client.lastName')} required maxLength={100} autoComplete="off" {...bind('lastName')} />
        </div>
        <Field
          ref={email}
          label={t('client.email')}
          type="email"
          maxLength={254}
          autoComplete="off"
          {...bind('email')}
        />
        <Field label={t('client.phone')} type="tel" maxLength={200} autoComplete="off" {...bind('phone')} />
        <Field label={t('client.company')} maxLength={200} autoComplete="off" {...bind('company')} />
      </div>
      <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">
        <NeededNote />
        <Button disabled={creating} onClick={onCancel}>
          {t('shared.cancel')}
        </Button>
        <SubmitButton busy={creating} blockedReason={Object.values(errors)[0] ?? null}>
          {creating ? t('client.creating') : t('client.createAndLink')}
        </SubmitButton>
      </footer>
    </form>
  )
}
