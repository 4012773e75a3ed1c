import { Check, LoaderCircle } from 'lucide-react'
import { useRef } from 'react'
import { selectIsSaving, selectLanguage } from '../../machines/client/client-language.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { customerLanguages } from '../../schemas/customer-language.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { useSelector } from '../use-selector.ts'
import { languageNames } from './language-names.ts'

/** The dialog in which the language of the summaries for a client is chosen. */
export default function ClientLanguageDialog({ actor, title, onDismiss }: DialogProps<'clientLanguage'>) {
  const language = useSelector(actor, selectLanguage)
  const isSaving = useSelector(actor, selectIsSaving)
  const chosen = useRef<HTMLButtonElement>(null)
  return (
    <DialogFrame title={title} onDismiss={onDismiss} initialFocus={chosen} className="w-80 max-w-full">
      <div className="grid gap-1 p-2">
        <p className="px-3 py-1 text-ink-2">{t('client.languageNote')}</p>
        {customerLanguages.map((one) => (
          <Button
            key={one}
            ref={one === language ? chosen : undefined}
            variant="ghost"
            className="h-10 w-full justify-between! text-ink"
            aria-pressed={one === language}
            aria-busy={isSaving && one === language}
            disabled={isSaving}
            onClick={() => actor.send({ type: 'language.chosen', language: one })}
          >
            <span lang={one}>{t(languageNames[one])}</span>
            {one === language &&
              (isSaving ? (
                <LoaderCircle size={15} aria-hidden="true" className="animate-spin" />
              ) : (
                <Check size={15} aria-hidden="true" />
              ))}
          </Button>
        ))}
      </div>
    </DialogFrame>
  )
}
