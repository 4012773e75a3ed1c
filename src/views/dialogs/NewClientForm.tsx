import { useEffect, useRef } from 'react'
import type { NewClient } from '../../domain/client-linking.ts'
import { Button } from '../components/Button.tsx'
import { Field } from '../components/Field.tsx'

type NewClientFormProps = {
  fields: NewClient
  creating: boolean
  onChange: (fields: NewClient) => void
  onSubmit: () => void
  onCancel: () => void
}

/** The form for a new client (spec section 2, Link Client modal). The browser asks for what is missing. */
export function NewClientForm({ fields, creating, onChange, onSubmit, onCancel }: NewClientFormProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const bind = (name: keyof NewClient) => ({
    value: fields[name],
    readOnly: creating,
    onChange: (event: { target: { value: string } }) => onChange({ ...fields, [name]: event.target.value }),
  })
  return (
    <form
      ref={form}
      aria-label="New client"
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <div className="scroller grid min-h-0 flex-1 content-start gap-3 px-4 py-3">
        <div className="grid grid-cols-2 gap-3">
          <Field label="First Name" required maxLength={100} autoComplete="off" {...bind('firstName')} />
          <Field label="Last Name" required maxLength={100} autoComplete="off" {...bind('lastName')} />
        </div>
        <Field label="Email" type="email" maxLength={254} autoComplete="off" {...bind('email')} />
        <Field label="Phone" type="tel" maxLength={200} autoComplete="off" {...bind('phone')} />
        <Field label="Company" maxLength={200} autoComplete="off" {...bind('company')} />
      </div>
      <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">
        <Button disabled={creating} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" disabled={creating}>
          {creating ? 'Creating...' : 'Create & Link'}
        </Button>
      </footer>
    </form>
  )
}
