import { safeName, safeText, safeUrl } from '../../domain/shown-text.ts'
import type { Attachment } from '../../schemas/message.ts'
import type { PartOf, TemplateButton, TemplateCard } from '../../schemas/message-part.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { PartGroup } from './PartGroup.tsx'
import { PartLink } from './PartLink.tsx'
import { Media } from './PartMedia.tsx'

export const frame = 'w-64 max-w-full overflow-hidden rounded-ui border border-line bg-panel'
const picture = 'block h-36 w-full object-cover bg-sunken'

type Files = { files: readonly Attachment[] }
const fileOf = ({ files }: Files, index: number | null | undefined) => (index == null ? undefined : files[index])

const shareNames = {
  post: 'thread.sharedPost',
  reel: 'thread.sharedReel',
  story: 'thread.sharedStory',
  link: 'thread.sharedLink',
} as const

/** The host of a link, which says where it leads. */
const hostOf = (link: string | null | undefined): string => (link && URL.parse(link)?.hostname) || ''

export function Share({ part, ...files }: { part: PartOf<'share'> } & Files) {
  const name = t(shareNames[part.what ?? 'link'])
  const title = safeName(part.title ?? '')
  return (
    <PartGroup label={name} className={frame}>
      <Media attachment={fileOf(files, part.file)} alt={title || name} className={picture} />
      <div className="flex flex-col gap-0.5 px-3 py-2">
        <p className="text-2xs text-ink-3">{name}</p>
        {title !== '' && <p className="line-clamp-2 font-medium [overflow-wrap:anywhere]">{title}</p>}
        {part.text && <p className="line-clamp-3 text-ink-2 text-xs [overflow-wrap:anywhere]">{safeText(part.text)}</p>}
        <PartLink href={part.link}>{hostOf(part.link) || name}</PartLink>
      </div>
    </PartGroup>
  )
}

export function Product({ part, ...files }: { part: PartOf<'product'> } & Files) {
  const title = safeName(part.title ?? '') || t('thread.product')
  return (
    <PartGroup label={`${t('thread.product')}: ${title}`} className={frame}>
      <Media attachment={fileOf(files, part.file)} alt={title} className={picture} />
      <div className="flex flex-col gap-0.5 px-3 py-2">
        <p className="text-2xs text-ink-3">{t('thread.product')}</p>
        <p className="line-clamp-2 font-medium [overflow-wrap:anywhere]">{title}</p>
        {part.price && <p className="font-semibold tabular-nums">{safeName(part.price)}</p>}
        <PartLink href={part.link}>{hostOf(part.link) || title}</PartLink>
      </div>
    </PartGroup>
  )
}

/** A message with buttons as the customer sees it. Only links can be opened here. */
export function Template({ part, ...files }: { part: PartOf<'template'> } & Files) {
  if (part.template_type === 'quick_replies') return <QuickReplies buttons={part.buttons} />
  return (
    <PartGroup label={t('thread.template')} className="flex max-w-full flex-col gap-1">
      {(part.text || part.buttons.length > 0 || part.receipt) && (
        <div className={frame}>
          {part.text && (
            <p className="whitespace-pre-wrap px-3 py-2 [overflow-wrap:anywhere]">{safeLines(part.text)}</p>
          )}
          {part.receipt && <Receipt receipt={part.receipt} />}
          <Buttons buttons={part.buttons} areAlone={!part.text && !part.receipt} />
        </div>
      )}
      {part.cards.length > 0 && (
        <ul className="flex max-w-full snap-x gap-2 overflow-x-auto" aria-label={t('thread.template')}>
          {part.cards.map((card, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the cards of a message never change their order
            <li key={index} className="shrink-0 snap-start">
              <CardOfTemplate card={card} {...files} />
            </li>
          ))}
        </ul>
      )}
    </PartGroup>
  )
}

/** A text of several lines. */
const safeLines = (text: string) => text.split('\n').map(safeText).join('\n')

function CardOfTemplate({ card, ...files }: { card: TemplateCard } & Files) {
  const title = safeName(card.title ?? '')
  return (
    <div className={frame}>
      <Media attachment={fileOf(files, card.file)} alt={title || t('thread.template')} className={picture} />
      {(title !== '' || card.text || card.link) && (
        <div className="flex flex-col gap-0.5 px-3 py-2">
          {title !== '' && <p className="font-medium [overflow-wrap:anywhere]">{title}</p>}
          {card.text && <p className="text-ink-2 text-xs [overflow-wrap:anywhere]">{safeText(card.text)}</p>}
          <PartLink href={card.link}>{hostOf(card.link) || title}</PartLink>
        </div>
      )}
      <Buttons buttons={card.buttons} />
    </div>
  )
}

const buttonRow = 'flex items-center justify-center border-line border-t px-3 py-2 text-center font-medium text-xs'

/** `areAlone`: the frame has nothing else, so it is the line above the first button. */
function Buttons({ buttons, areAlone = false }: { buttons: readonly TemplateButton[]; areAlone?: boolean }) {
  if (buttons.length === 0) return null
  return (
    <ul aria-label={t('thread.templateButtons')} className={areAlone ? '-mt-px' : undefined}>
      {buttons.map(({ title, link }, index) => {
        const url = link ? safeUrl(link) : null
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the buttons of a message never change their order
          <li key={index}>
            {url === null ? (
              <span className={`${buttonRow} text-ink-2`} title={t('thread.pressedIn')}>
                {safeName(title)}
              </span>
            ) : (
              <a
                href={url}
                target="_blank"
                rel="noopener noreferrer"
                className={`${buttonRow} text-accent hover:bg-sunken touch:min-h-11`}
              >
                {safeName(title)}
              </a>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Below the text. The network's apps show them until the customer writes. */
function QuickReplies({ buttons }: { buttons: readonly TemplateButton[] }) {
  return (
    <ul aria-label={t('thread.quickReplies')} className="flex max-w-full flex-wrap justify-end gap-1.5">
      {buttons.map(({ title }) => (
        <li
          key={title}
          title={t('thread.pressedIn')}
          className="max-w-full rounded-full border border-line px-2.5 py-1 text-ink-2 text-xs [overflow-wrap:anywhere]"
        >
          <bdi>{safeName(title)}</bdi>
        </li>
      ))}
    </ul>
  )
}

function Receipt({ receipt: { number, items, total } }: { receipt: NonNullable<PartOf<'template'>['receipt']> }) {
  return (
    <div className="flex flex-col gap-1 px-3 py-2">
      <p className="font-medium">
        {number ? t('thread.receiptOf', { number: safeName(number) }) : t('thread.receipt')}
      </p>
      <ul className="text-xs">
        {items.map(({ title, quantity, price }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items of a receipt never change their order
          <li key={index} className="flex justify-between gap-2">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {quantity && `${t('thread.quantity', { quantity: safeName(quantity) })} `}
              {safeName(title)}
            </span>
            {price && <span className="shrink-0 tabular-nums">{safeName(price)}</span>}
          </li>
        ))}
      </ul>
      {total && (
        <p className="flex justify-between gap-2 border-line border-t pt-1 font-semibold">
          <span>{t('thread.receiptTotal')}</span>
          <span className="tabular-nums">{safeName(total)}</span>
        </p>
      )}
    </div>
  )
}
