import { Copy } from 'lucide-react'
import { Fragment } from 'react'
import { safeName } from '../../domain/shown-text.ts'
import type { Client } from '../../schemas/client.ts'
import { t } from '../../texts/client-on-demand.ts'
import { IconButton } from '../components/Button.tsx'
import { useCopy } from '../use-copy.ts'

/** The email address and the phone number of a client, each as a link that can be copied. */
export default function ContactLines({ client }: { client: Client }) {
  const email = safeName(client.email ?? '')
  const phone = safeName(client.phone ?? '')
  const contacts = [
    // Everything but the @ is encoded, so that an address adds no subject or recipient. Half a pair cannot be encoded.
    { text: email, href: `mailto:${encodeURIComponent(email.toWellFormed()).replaceAll('%40', '@')}` },
    { text: phone, href: `tel:${phone.replaceAll(/[^+\d]/g, '')}` },
  ].filter(({ text }) => text !== '')
  const copy = useCopy()
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
      {copy !== null && (
        <IconButton label={t('client.copyContact', { contact: text })} className="h-6 w-6" onClick={() => copy(text)}>
          <Copy size={13} aria-hidden="true" />
        </IconButton>
      )}
    </p>
  ))
}
