import { Copy } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { t } from '../../texts/session-on-demand.ts'
import { t as sharedText } from '../../texts/shared-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { Field } from '../components/Field.tsx'
import { useCopy } from '../use-copy.ts'

type SecretOnceProps = {
  title: string
  advice: string
  label: string
  secret: string
  onTaken: () => void
  children?: ReactNode
}

/** Shows a secret, which the server does not tell again, until the person confirms that they have it. */
export function SecretOnce({ title, advice, label, secret, onTaken, children }: SecretOnceProps) {
  const panel = useRef<HTMLDivElement>(null)
  const copy = useCopy()
  useEffect(() => {
    const field = panel.current?.querySelector('input')
    field?.focus()
    field?.select()
  }, [])
  return (
    <div ref={panel} className="scroller grid min-h-0 flex-1 content-start gap-4 px-4 py-4">
      <h3 className="font-semibold">{title}</h3>
      <p className="[overflow-wrap:anywhere]">{advice}</p>
      <Field
        label={label}
        readOnly
        spellCheck={false}
        autoComplete="off"
        className="font-mono"
        value={secret}
        onFocus={({ target }) => target.select()}
      />
      <div className="flex justify-end gap-2">
        {copy !== null && (
          <Button onClick={() => copy(secret)}>
            <Copy size={15} aria-hidden="true" />
            {sharedText('shared.copy')}
          </Button>
        )}
        <Button variant="primary" onClick={onTaken}>
          {t('session.secretTaken')}
        </Button>
      </div>
      {children}
    </div>
  )
}
