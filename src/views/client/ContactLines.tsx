import { Copy } from 'lucide-react'
import { Fragment } from 'react'
import { safeName } from '../../domain/shown-text.ts'
import type { Client } from '../../schemas/client.ts'
import { t } from '../../texts/client-on-demand.ts'
import { useNotifier } from '../actors.tsx'
import { IconButton } from '../components/Button.tsx'

/** The email address and the phone number of a client, each as a link that can be copied. */
export default function ContactLines({ client }: { client: Client }) {
  const notifier = useNotifier()
  const email = safeName(client.email ?? '')
  const phone = safeName(client.phone ?? '')
  const contacts = [
    // Everything but the @ is encoded, so that an address adds no subject or recipient. Half a pair cannot be encoded.
    { text: email, href: `mailto:${encodeURIComponent(email.toWellFormed()).replaceAll('%40', '@')}` },
    { text: phone, href: `tel:${phone.replaceAll(/[^+\d]/g, '')}` },
  ].filter(({ text }) => text !== '')
  const copy = (text: string) =>
    navigator.clipboard.writeText(text).then(
      () => notifier.send({ type: 'toast.requested', kind: 'success', text: t('client.copied') }),
      () => notifier.send({ type: 'toast.requested', kind: 'error', text: t('client.notCopied') }),
    )
  return contacts.map(({ text, href }) => (
    <p key={href} className="flex items-center gap-1">
      <a
        href={href}
        className="flex min-w-0 flex-1 items-center text-ink-2 underline-offset-2 [overflow-wrap:anywhere] touch:min-h-11 hover:underline"
      >
        {/* An address that is too long breaks before its @. */}
        <bdi>
          {text.split(/(?=@)/u).map((part) => (
            <Fragment key={part}>
              <wbr />
              {part}
            </Fragment>
          ))}
        </bdi>
      </a>
      {/* Browsers offer the clipboard on secure origins only. */}
      {'clipboard' in navigator && (
        <IconButton label={t('client.copyContact', { contact: text })} className="h-6 w-6" onClick={() => copy(text)}>
          <Copy size={13} aria-hidden="true" />
        </IconButton>
      )}
    </p>
  ))
}
