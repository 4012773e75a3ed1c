import { placeholderOf, placeholdersIn } from '../../domain/send/placeholders.ts'
import { t } from '../../texts/send-on-demand.ts'
import { variableName } from './FilledReply.tsx'

const list = new Intl.ListFormat('en', { type: 'conjunction' })

/** Names the placeholders that are left in the text. It cannot be sent before they are replaced. */
export default function MissingValues({ text }: { text: string }) {
  const missing = placeholdersIn(text)
  return (
    <p role="status" className="rounded-ui bg-warn-soft px-3 py-2 text-warn text-xs">
      {t('send.missing', {
        count: missing.length,
        names: list.format(missing.map(variableName)),
        marks: list.format(missing.map(placeholderOf)),
      })}
    </p>
  )
}
