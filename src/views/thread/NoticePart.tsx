import { BellOff, BellRing, CircleHelp, Megaphone, MousePointerClick, Phone, PhoneMissed } from 'lucide-react'
import type { ReactNode } from 'react'
import { safeName } from '../../domain/shown-text.ts'
import type { Attachment } from '../../schemas/message.ts'
import type { PartOf } from '../../schemas/message-part.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { PartGroup } from './PartGroup.tsx'
import { PartLink } from './PartLink.tsx'
import { Media } from './PartMedia.tsx'

/** A line with a picture before it: what happened, without a bubble. */
function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex max-w-full items-center gap-1.5 text-ink-2 text-xs">
      <span aria-hidden="true" className="shrink-0">
        {icon}
      </span>
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </p>
  )
}

const about = (what: string, title: string) => (title === '' ? what : t('thread.about', { what, title }))

const sourceNames = {
  ad: 'thread.fromAd',
  link: 'thread.fromLink',
  shop: 'thread.fromShop',
  other: 'thread.fromOther',
} as const

/** The ad, the link or the product that led to the chat. */
export function Referral({ part, files }: { part: PartOf<'referral'>; files: readonly Attachment[] }) {
  const name = t(sourceNames[part.source ?? 'other'])
  const title = safeName(part.title ?? '')
  return (
    <PartGroup
      label={name}
      className="flex w-fit max-w-[min(100%,22rem)] items-start gap-2 rounded-ui border border-line bg-panel px-3 py-2"
    >
      <Media
        attachment={part.file == null ? undefined : files[part.file]}
        alt={title || name}
        className="block size-12 shrink-0 rounded-tag object-cover"
      />
      <div className="flex min-w-0 flex-col gap-0.5">
        <Line icon={<Megaphone size={14} />}>{name}</Line>
        {title !== '' && <p className="font-medium [overflow-wrap:anywhere]">{title}</p>}
        {part.ref && (
          <p className="text-ink-2 text-xs [overflow-wrap:anywhere]">
            {t('thread.referralRef', { ref: safeName(part.ref) })}
          </p>
        )}
        <PartLink href={part.link}>{t('thread.openAd')}</PartLink>
      </div>
    </PartGroup>
  )
}

export function Call({ part: { is_missed } }: { part: PartOf<'call'> }) {
  return is_missed ? (
    <Line icon={<PhoneMissed size={14} className="text-bad" />}>{t('thread.missedCall')}</Line>
  ) : (
    <Line icon={<Phone size={14} />}>{t('thread.call')}</Line>
  )
}

export function OptIn({ part: { title, has_stopped } }: { part: PartOf<'opt_in'> }) {
  const what = has_stopped ? t('thread.optedOut') : t('thread.optedIn')
  return (
    <Line icon={has_stopped ? <BellOff size={14} /> : <BellRing size={14} />}>
      {about(what, safeName(title ?? ''))}
    </Line>
  )
}

/** Below the text, which is the title of what was pressed. */
export function Press({ kind }: { kind: 'postback' | 'quick_reply' }) {
  return (
    <Line icon={<MousePointerClick size={14} />}>
      {kind === 'postback' ? t('thread.pressedButton') : t('thread.tappedReply')}
    </Line>
  )
}

/** What this version cannot show: its type, and what the network sent of it. */
export function Unknown({ part: { type, raw } }: { part: PartOf<'unknown'> }) {
  const name = safeName(type ?? '').replaceAll('_', ' ')
  return (
    <PartGroup
      label={t('thread.unknownPart')}
      className="flex max-w-[min(100%,26rem)] flex-col gap-1 rounded-ui border border-line bg-sunken px-3 py-2"
    >
      <Line icon={<CircleHelp size={14} />}>
        {name === '' ? t('thread.unknownPart') : t('thread.unknownPartOf', { type: name })}
      </Line>
      <p className="text-2xs text-ink-2">{t('thread.unknownKept')}</p>
      {raw && (
        <details className="text-2xs">
          <summary className="cursor-pointer touch:py-3">{t('thread.whatWasSent')}</summary>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the area scrolls, also with the keys
            tabIndex={0}
            className="max-h-40 overflow-auto whitespace-pre-wrap [overflow-wrap:anywhere]"
          >
            {raw}
          </pre>
        </details>
      )}
    </PartGroup>
  )
}
