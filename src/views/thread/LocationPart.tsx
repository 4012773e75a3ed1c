import { safeName } from '../../domain/shown-text.ts'
import { mapAddress } from '../../domain/thread/shown-content.ts'
import type { PartOf } from '../../schemas/message-part.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { frame } from './CardPart.tsx'
import { PartGroup } from './PartGroup.tsx'
import { PartLink } from './PartLink.tsx'

const degrees = new Intl.NumberFormat('en', { minimumFractionDigits: 5, maximumFractionDigits: 5 })

/** A place: a drawing that is the same for all places, so that no map service learns of the customer, and a link. */
export function Location({ part: { latitude, longitude, title } }: { part: PartOf<'location'> }) {
  const name = safeName(title ?? '')
  return (
    <PartGroup label={t('thread.location')} className={frame}>
      <svg viewBox="0 0 256 96" aria-hidden="true" className="block h-24 w-full bg-sunken">
        <g fill="none" className="stroke-line" strokeWidth="6">
          <path d="M-8 70 80 44 168 62 264 20M40-8 70 104M150-8 128 104M220-8 236 104" />
        </g>
        <path d="M-8 18 60 30 256 84" fill="none" className="stroke-edge" strokeWidth="3" />
        <path
          d="M128 74c-14-18-20-26-20-36a20 20 0 0 1 40 0c0 10-6 18-20 36Z"
          className="fill-accent stroke-panel"
          strokeWidth="2"
        />
        <circle cx="128" cy="38" r="7" className="fill-panel" />
      </svg>
      <div className="flex flex-col gap-0.5 px-3 py-2">
        <p className="font-medium [overflow-wrap:anywhere]">{name || t('thread.location')}</p>
        <p className="text-ink-2 text-xs tabular-nums">
          {degrees.format(latitude)}, {degrees.format(longitude)}
        </p>
        <PartLink href={mapAddress(latitude, longitude)}>{t('thread.openMap')}</PartLink>
      </div>
    </PartGroup>
  )
}
