import type { Ref } from 'react'
import { t } from '../../texts/session-on-demand.ts'
import { Field } from '../components/Field.tsx'

type CodeFieldProps = {
  value: string
  onChange: (code: string) => void
  error: string | null
  readOnly: boolean
  ref?: Ref<HTMLInputElement>
}

/** The field for a code of the second factor. Phones and password managers offer the code here. */
export function CodeField({ onChange, ...rest }: CodeFieldProps) {
  return (
    <Field
      {...rest}
      label={t('session.code')}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      required
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
