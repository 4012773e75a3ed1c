import { Languages } from 'lucide-react'
import { offers } from '../../domain/session/features.ts'
import type { Client } from '../../schemas/client.ts'
import { languageOf } from '../../schemas/customer-language.ts'
import { t } from '../../texts/client-on-demand.ts'
import { IconButton } from '../components/Button.tsx'
import { useDialog, useMayOpen, useUser } from '../use-inbox.ts'
import { languageNames } from './language-names.ts'

/** The language of the summaries for a client, with the button that changes it. */
export default function LanguageLine({ client }: { client: Client }) {
  const dialog = useDialog()
  const isOffered = offers(useUser(), 'summaries')
  const mayChange = useMayOpen('clientLanguage')
  const language = languageOf(client.language)
  if (!isOffered) return null
  return (
    <p className="flex items-center gap-2 text-ink-2">
      <span className="flex-1">{t('client.summariesIn', { language: t(languageNames[language]) })}</span>
      {mayChange && (
        <IconButton
          label={t('client.changeLanguage')}
          className="h-6 w-6 shrink-0"
          onClick={() =>
            dialog.send({
              type: 'dialog.requested',
              dialog: { name: 'clientLanguage', input: { clientId: client.id, language } },
            })
          }
        >
          <Languages size={15} aria-hidden="true" />
        </IconButton>
      )}
    </p>
  )
}
